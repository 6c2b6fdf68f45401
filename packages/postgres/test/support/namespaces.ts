/**
 * Returns the command that runs `command` without a view of this process or any other, as in another container over the
 * same files. Bubblewrap makes the namespaces of processes, shared memory and network, with a loopback, with root and
 * without. macOS has no namespaces; the command runs unchanged there.
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
