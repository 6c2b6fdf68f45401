// Compiled, not run: what Vue's compiler of types looks up for the tags of a template.
import type {} from "@reelmill/elements/vue";
import type { GlobalComponents } from "vue";

type Props<Name extends keyof GlobalComponents> = InstanceType<GlobalComponents[Name]>["$props"];
export const uploader: Props<"reelmill-uploader"> = { "back-end": "/video", "max-bytes": "5000000", camera: "" };
export const player: Props<"reelmill-player"> = { videoId: "video-1", key: 1, class: "wide", muted: true };
declare const emits: InstanceType<GlobalComponents["reelmill-uploader"]>["$emit"];
export const hears: (type: "uploadexpire", event: GlobalEventHandlersEventMap["uploadexpire"]) => void = emits;
// @ts-expect-error no such preload
export const wrong: Props<"reelmill-player"> = { preload: "all" };
