import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync } from "node:fs";

/** A program of the image that runs as in a container. */
export type Container = {
	readonly child: ChildProcess;
	/** What it printed. */
	said(): string;
	/** Sends SIGTERM to the first process and resolves to the code that the container ends with. */
	stop(): Promise<number | null>;
};

/**
 * What a container engine does, by what Debian has: a root of its own that is read-only but for `/tmp` and the volume,
 * process ids of its own, the image's user without any capability, and no way to gain one. The network is the
 * machine's.
 */
const enter = `
set -e
mount --bind "$IMAGE" "$IMAGE"
cd "$IMAGE"
mount --rbind /dev dev
mount -t proc proc proc
mount -t tmpfs tmpfs tmp
mount --bind "$VOLUME" var/lib/reelmill
mount -o remount,bind,ro "$IMAGE"
cd "$IMAGE"
pivot_root . .
umount -l .
cd /var/lib/reelmill
exec env -i PATH=/usr/local/bin:/usr/bin:/bin $SETTINGS \\
	setpriv --reuid 10001 --regid 10001 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
`;

/** Runs a command of the image in `image`, its mounted root, with a folder as its volume and these settings. */
export function runContainer(
	image: string,
	volume: string,
	settings: Readonly<Record<string, string>>,
	...command: string[]
): Container {
	mkdirSync(volume, { recursive: true });
	chownSync(volume, 10_001, 10_001);
	const own = ["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child=SIGKILL"];
	const child = spawn("unshare", [...own, "sh", "-c", enter, "sh", ...command], {
		env: {
			PATH: process.env.PATH,
			IMAGE: image,
			VOLUME: volume,
			SETTINGS: Object.entries(settings)
				.map(([name, value]) => `REELMILL_${name}=${value}`)
				.join(" "),
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (text: Buffer) => {
			said += text;
		});
	const ended = once(child, "close");
	return {
		child,
		said: () => said,
		async stop() {
			const first = await firstProcess(child);
			if (first !== undefined) process.kill(first, "SIGTERM");
			const [code] = await ended;
			return code as number | null;
		},
	};
}

/** Returns the machine's id of the process that is 1 within: the one child of `unshare`. */
async function firstProcess({ pid }: ChildProcess): Promise<number | undefined> {
	const { readFile } = await import("node:fs/promises");
	const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
	const [first] = children.trim().split(" ");
	return first ? Number(first) : undefined;
}
