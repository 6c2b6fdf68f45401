import { Argument, type Command } from "commander";
import { candidatesOf } from "../completions.ts";
import type { Io } from "../printing.ts";

/** What each shell runs: it asks the program for the words at the cursor, and offers files if there are none. */
const scripts = {
	bash: `# bash completion of reelmill: eval "$(reelmill completion bash)"
_reelmill() {
	local i found last typed=()
	# bash splits --option=value at the sign: it is one word here.
	for ((i = 1; i <= COMP_CWORD; i++)); do
		last=$((\${#typed[@]} - 1))
		if ((i > 1)) && [[ \${COMP_WORDS[i]} == = || \${COMP_WORDS[i-1]} == = && \${typed[last]} == --*= ]]; then
			typed[last]+=\${COMP_WORDS[i]}
		else
			typed+=("\${COMP_WORDS[i]}")
		fi
	done
	COMPREPLY=()
	last=$((\${#typed[@]} - 1))
	while IFS=$'\\t' read -r found _; do
		[[ \${typed[last]} == --*=* ]] && found=\${found#*=}
		COMPREPLY+=("$found")
	done < <("\${COMP_WORDS[0]}" completion words -- "\${typed[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F _reelmill reelmill
`,
	zsh: `#compdef reelmill
# zsh completion of reelmill: eval "$(reelmill completion zsh)"
_reelmill() {
	local -a found
	local word about
	while IFS=$'\\t' read -r word about; do
		found+=("\${word//:/\\\\:}:\${about}")
	done < <(\${words[1]} completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
	if (( \${#found} )); then _describe reelmill found; else _files; fi
}
compdef _reelmill reelmill
`,
	fish: `# fish completion of reelmill: reelmill completion fish | source
function __reelmill
	set -l words (commandline -opc) (commandline -ct)
	$words[1] completion words -- $words[2..-1] 2>/dev/null
end
complete -c reelmill -a '(__reelmill)'
`,
} as const;

export function addCompletion(parent: Command, io: Io): void {
	const completion = parent.command("completion").description("make TAB complete commands, options and their values");
	const about = {
		bash: 'in ~/.bashrc: eval "$(reelmill completion bash)"',
		zsh: 'in ~/.zshrc, after compinit: eval "$(reelmill completion zsh)"',
		fish: "in ~/.config/fish/config.fish: reelmill completion fish | source",
	};
	for (const shell of ["bash", "zsh", "fish"] as const)
		completion
			.command(shell)
			.description(about[shell])
			.action(() => void io.stdout.write(scripts[shell]));
	completion
		.command("words", { hidden: true })
		.addArgument(new Argument("[words...]"))
		.action((words: string[]) => {
			for (const { word, about } of candidatesOf(parent, words)) io.stdout.write(`${word}\t${about}\n`);
		});
}
