/** UI components that all pages share. */
export { AddressesField, addressesOf } from './addresses-field.tsx';
export { AnnouncerProvider, useAnnounce, useCalmAnnounce } from './announcer.tsx';
export { useAvailable, useFailure, useForgottenWhenBack } from './available.ts';
export { Button, buttonClasses } from './button.tsx';
export { Checkbox } from './checkbox.tsx';
export { classes } from './classes.ts';
export { CodeBlock } from './code-block.tsx';
export { CodeText } from './code-text.tsx';
export { ConfirmDialog } from './confirm-dialog.tsx';
export { CopyButton, CopyIcon } from './copy-button.tsx';
export { type Column, DataTable, type RowChoice, type RowLink } from './data-table.tsx';
export { Dialog } from './dialog.tsx';
export { DocsLink } from './docs-link.tsx';
export { EmptyState } from './empty-state.tsx';
export { ErrorNote, messageOf } from './error-note.tsx';
export { EventTable } from './event-table.tsx';
export { Fact } from './fact.tsx';
export { Field } from './field.tsx';
export { type Filter, FilterBar } from './filter-bar.tsx';
export { FormDialog } from './form-dialog.tsx';
export { IconButton } from './icon-button.tsx';
export { Id, shortId } from './id.tsx';
export { Input, Select, TextArea } from './input.tsx';
export { InputFields } from './input-fields.tsx';
export { type Draft, draftOf, inputShape, type InputShape, pathsOf, readDraft } from './input-shape.ts';
export { JsonTree } from './json-tree.tsx';
export { Kbd } from './kbd.tsx';
export { List, type ListAnswer, ListPage } from './list-page.tsx';
export { LoadFailed } from './load-failed.tsx';
export { LongList } from './long-list.tsx';
export { Menu, MenuItem, MenuLabel, MenuSeparator } from './menu.tsx';
export { NameText } from './name-text.tsx';
export { isShortPassword, NewPasswordField } from './new-password-field.tsx';
export { type Crumb, PageHeader } from './page-header.tsx';
export { Pagination } from './pagination.tsx';
export { PendingPage } from './pending-page.tsx';
export { Popover } from './popover.tsx';
export { ProgressBar } from './progress-bar.tsx';
export { ShortcutsProvider, useShortcut, useShortcuts, useSingleKeys } from './shortcuts.tsx';
export { RevealDialog, useReveal } from './reveal-dialog.tsx';
export { RunBars } from './run-bars.tsx';
export { namedRunColumns, RUN_COLUMN } from './run-columns.tsx';
export { Skeleton, SkeletonRows } from './skeleton.tsx';
export { Sparkline } from './sparkline.tsx';
export { FINAL_STATUSES, isStatus, type Status, STATUSES, type StatusTone } from './status.ts';
export { StatusBadge } from './status-badge.tsx';
export { readStored, store, useStored } from './stored.ts';
export { Switch } from './switch.tsx';
export { type Tab, Tabs } from './tabs.tsx';
export { useTheme } from './theme.ts';
export { Duration, Time } from './time.tsx';
export { ToastProvider, useToast } from './toast.tsx';
export { Tooltip, TooltipProvider } from './tooltip.tsx';
export {
  formatUrlSearch,
  type ListSearch,
  PAGE_SIZE_STORED,
  parseUrlSearch,
  type UrlSearch,
  useListSearch,
  useUrlSearch,
} from './url-search.ts';
export { DEFAULT_OVERLAP, overlapInWords, ROTATION_OVERLAPS } from './rotation-overlaps.ts';
export { useSettled } from './use-settled.ts';
export { type Submission, useSubmit } from './use-submit.ts';
