import type { Command } from 'commander';
import type { Terminal } from './terminal.js';

/** `completion`: prints a shell script that completes command names. Usage: `eval "$(workflow-service completion)"`. */
export function defineCompletionCommand(command: Command, { out }: Terminal): void {
  command.action(() => {
    const verbs = command.parent?.commands.map((each) => each.name()) ?? [];
    out(`[ -z "$ZSH_VERSION" ] || autoload -U +X bashcompinit && bashcompinit
_workflow_service() { [ "$COMP_CWORD" -ne 1 ] || COMPREPLY=($(compgen -W "${verbs.join(' ')}" -- "\${COMP_WORDS[1]}")); }
complete -o default -F _workflow_service workflow-service
`);
  });
}
