/**
 * The command that runs `command` where it sees neither this process nor any other: as in a container of its own, over
 * the same files. Bubblewrap makes the namespaces of processes, shared memory and network, with a loopback, as root and
 * without; macOS has none, and runs it as it is.
 */
export function unseen(command: readonly string[]): [string, ...string[]] {
	if (process.platform !== "linux") return command as [string, ...string[]];
	return [
		"bwrap",
		"--die-with-parent",
		"--unshare-pid",
		"--unshare-ipc",
		"--unshare-net",
		"--dev-bind",
		"/",
		"/",
		"--proc",
		"/proc",
		...command,
	];
}
