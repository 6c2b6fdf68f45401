import { chownSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { type Program, startProgram } from "../programs/program.ts";

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

/**
 * Runs a command of the image in `image`, its mounted root, with a folder as its volume and these settings. What stops it
 * goes to the first process of the container.
 */
export function runContainer(
	image: string,
	volume: string,
	settings: Readonly<Record<string, string>>,
	...command: string[]
): Program {
	mkdirSync(volume, { recursive: true });
	chownSync(volume, 10_001, 10_001);
	const own = ["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child=SIGKILL"];
	const program = startProgram("unshare", [...own, "sh", "-c", enter, "sh", ...command], {
		env: {
			PATH: process.env.PATH,
			IMAGE: image,
			VOLUME: volume,
			SETTINGS: Object.entries(settings)
				.map(([name, value]) => `REELMILL_${name}=${value}`)
				.join(" "),
		},
	});
	return {
		...program,
		async stop(signal = "SIGTERM") {
			const first = firstProcess(program);
			if (first === undefined) return program.stop(signal);
			process.kill(first, signal);
			return program.ended;
		},
	};
}

/** Returns the machine's id of the process that is 1 within: the one child of `unshare`. */
function firstProcess({ child: { pid } }: Program): number | undefined {
	const list = `/proc/${pid}/task/${pid}/children`;
	const [first] = existsSync(list) ? readFileSync(list, "utf8").trim().split(" ") : [];
	return first ? Number(first) : undefined;
}
