import type { Command } from "commander";
import { wholeNumber } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

export function addPlaybackKey(parent: Command, io: Io): void {
	const keys = parent.command("playback-key").description("keys with which viewers play private videos");
	keys
		.command("create")
		.description("create a key for one viewer")
		.argument("<viewer>", "your name for the viewer (viewer_ref)")
		.option("--video <id...>", "the key plays these videos alone")
		.option("--ttl <seconds>", "how long it works, 60 to 86400 (default: 3600)", wholeNumber(1))
		.action(async (viewer: string, { video, ttl }: { video?: string[]; ttl?: number }, command: Command) => {
			const session = sessionOf(io, command);
			const input = {
				viewer_ref: viewer,
				...(video ? { video_ids: video } : {}),
				...(ttl === undefined ? {} : { ttl_seconds: ttl }),
			};
			session.print(await session.reelmill().playbackKeys.create(input, { signal: io.signal }));
		});
	keys
		.command("revoke")
		.description("end all keys that a viewer has now")
		.argument("<viewer>", "your name for the viewer (viewer_ref)")
		.action(async (viewer: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().playbackKeys.revoke(viewer, { signal: io.signal }));
		});
	keys
		.command("revoke-all")
		.description("end all keys that the domain's viewers have now")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().playbackKeys.revokeAll({ signal: io.signal }));
		});
}
