export { InboxModule } from './inbox.module.js';
export { Inbox } from './inbox.js';
export { deleteMessage, insertMessage, markSeen } from './message-row.js';
export { MessageRepository, type StoredMessage } from './message.repository.js';
