import { fromBackEnd } from "@reelmill/browser/back-end";
import {
	createUploader,
	type Uploader,
	type UploaderOptions,
	type UploadRequest,
	type UploadSource,
} from "@reelmill/browser/upload";
import { numberIn, reflect } from "../base/attributes.ts";
import { type AwaitedVideo, isOver } from "../base/await-video.ts";
import { make, setText } from "../base/dom.ts";
import { LocalElement } from "../base/local-element.ts";
import { fill, replaced, type SomeWords, type UploaderWords } from "../words/words.ts";
import { countInWords } from "./amounts.ts";
import { canRecord, recordVideo } from "./camera.ts";
import { listenForFiles } from "./drop-target.ts";
import { createDropZone } from "./drop-zone.ts";
import { createFileList, type FileList, isEnded, isTaken, type UploaderFile } from "./file-list.ts";
import { createVideoFollower } from "./follow-videos.ts";
import { createItemList } from "./item-list.ts";
import type { Action } from "./item-view.ts";
import { problemOf } from "./problem.ts";
import { uploaderStyles } from "./styles.ts";
import { createSummary } from "./summary.ts";

/** What an event of the uploader tells in `detail`. */
export type UploaderEventDetail = { readonly item: UploaderFile };

/** The events of `<reelmill-uploader>` besides those of every element. They bubble. */
export type UploaderEvents = Record<
	| "uploadprogress"
	| "uploaddone"
	| "uploadfail"
	| "uploadrefuse"
	| "uploadcancel"
	| "uploadexpire"
	| "videoready"
	| "videofail",
	CustomEvent<UploaderEventDetail>
>;

/** The events of each new status; `uploadprogress` comes with every change besides. */
const eventOf: Partial<Record<UploaderFile["status"], keyof UploaderEvents>> = {
	done: "uploaddone",
	failed: "uploadfail",
	refused: "uploadrefuse",
	cancelled: "uploadcancel",
	expired: "uploadexpire",
};

/**
 * `<reelmill-uploader>`: takes videos by choice, drop, paste and camera, and sends them. It belongs to a form as an
 * `<input>` does: the ids of its videos are the values under its `name`.
 * @example
 * ```ts
 * import { ReelmillUploader } from "@reelmill/elements/uploader";
 *
 * const uploader = document.createElement("reelmill-uploader");
 * uploader.multiple = true;
 * uploader.initiate = async () => (await fetch("/my-backend/initiate", { method: "POST" })).json();
 * document.body.append(uploader);
 *
 * const done = new Promise((resolve) => uploader.addEventListener("uploaddone", resolve, { once: true }));
 * uploader.add([new File(["the bytes of a video"], "clip.mp4", { type: "video/mp4" })]); // as if it was chosen
 * await done;
 * console.log(uploader instanceof ReelmillUploader, uploader.videoIds); // => true [video-1]
 * ```
 */
export class ReelmillUploader extends LocalElement {
	static readonly formAssociated = true;
	static readonly observedAttributes = [
		"accept",
		"max-bytes",
		"max-files",
		"multiple",
		"camera",
		"disabled",
		"required",
		"back-end",
	];

	/**
	 * Asks your back end for an upload of a file: the back end calls `createVideo` and returns its answer. `source` has
	 * the film's length if the page could read it, for `duration_seconds`. `request` says which uploads of the file this
	 * browser keeps, and whether the person chose to send it in place of another one.
	 */
	initiate:
		| ((file: File, source: UploadSource | null, request: UploadRequest) => ReturnType<UploaderOptions["initiate"]>)
		| null = null;
	/** Options of each upload, such as `chunkSize` and `retries`; they hold for files that are added later. */
	uploadOptions: Omit<Partial<UploaderOptions>, "initiate" | "simultaneous" | "askBeforeLeaving"> = {};

	readonly #internals = this.attachInternals();
	readonly #spoken = make("p", { class: "spoken", role: "status" });
	readonly #group = make("div", { role: "group", part: "uploader" });
	readonly #zone = createDropZone(
		(files) => this.add(files),
		() => void this.#record(),
	);
	readonly #list = createItemList((item, action) => this.#act(item, action), this.#zone.choose);
	readonly #summary = createSummary({
		start: () => this.start(),
		pause: () => this.pause(),
	});
	readonly #videos = createVideoFollower(() => this.#files?.look());
	#words: SomeWords<UploaderWords> | null = null;
	#ask: ReelmillUploader["follow"] = null;
	#uploader: Uploader | null = null;
	#own: Uploader | undefined;
	#files: FileList | undefined;
	#known = new Map<string, UploaderFile>();
	#isOver = false;
	#formDisabled = false;
	#stopListening: (() => void) | undefined;

	constructor() {
		super(uploaderStyles);
		this.#group.append(this.#zone.element, this.#summary.element, this.#list.element, make("slot"), this.#spoken);
		this.root.append(this.#group);
	}

	override connectedCallback(): void {
		super.connectedCallback();
		if (this.#uploader) {
			this.#open();
			this.render();
		}
		this.#followVideos();
		this.#stopListening = listenForFiles(this, {
			take: (files) => void (this.#isOff || this.add(files)),
			isOver: (over) => {
				this.#isOver = over && !this.#isOff;
				this.render();
			},
		});
	}

	/**
	 * The uploads are let go if the element leaves the page for good: a later page continues them with the same file. Those
	 * of an `uploader` that the page has made go on.
	 */
	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#stopListening?.();
		queueMicrotask(() => {
			if (this.isConnected) return;
			this.#videos.stop();
			this.#own?.close();
			if (this.#uploader) this.#unfollow();
		});
	}

	attributeChangedCallback(name: string): void {
		if (name === "back-end") this.#followVideos();
		else this.render();
	}

	formDisabledCallback(disabled: boolean): void {
		this.#formDisabled = disabled;
		this.render();
	}

	formResetCallback(): void {
		for (const { id } of this.items) void this.#files?.remove(id);
	}

	/** The address of `uploadRoutes` in your back end, which gives out uploads; `initiate` stands over it. */
	get backEnd(): string | null {
		return this.getAttribute("back-end");
	}
	set backEnd(value: string | null) {
		reflect(this, "back-end", value);
	}
	/**
	 * Asks what has become of an uploaded video (default: `back-end` is asked). The list then shows how far its processing
	 * is, and whether it can be played. With `false` nobody is asked, and the list shows the upload alone. After a refusal
	 * the video stays as it is known, until `start()` is called.
	 */
	get follow(): ((videoId: string) => Promise<AwaitedVideo>) | false | null {
		return this.#ask;
	}
	set follow(value: ((videoId: string) => Promise<AwaitedVideo>) | false | null) {
		this.#ask = value;
		this.#followVideos();
	}
	/** Types as the `accept` of an `<input>` has them (default: `video/*`). */
	get accept(): string {
		return this.getAttribute("accept") ?? "video/*";
	}
	set accept(value: string | null) {
		reflect(this, "accept", value);
	}
	/** The largest file in bytes; null for any size. */
	get maxBytes(): number | null {
		return numberIn(this, "max-bytes") ?? null;
	}
	set maxBytes(value: number | null) {
		reflect(this, "max-bytes", value);
	}
	/** How many files are taken, if `multiple` is set; null for any number. */
	get maxFiles(): number | null {
		return numberIn(this, "max-files") ?? null;
	}
	set maxFiles(value: number | null) {
		reflect(this, "max-files", value);
	}
	/**
	 * The uploader that sends the files, made by `createUploader`, so that uploads outlive the element; it has its own
	 * `initiate` and options. Null for one of the element's own (default).
	 */
	get uploader(): Uploader | null {
		return this.#uploader;
	}
	set uploader(value: Uploader | null) {
		if (value === this.#uploader) return;
		this.#own?.close();
		this.#own = undefined;
		this.#unfollow();
		this.#uploader = value;
		if (value && this.isConnected) this.#open();
		this.#followVideos();
		this.render();
	}
	/** Whether a page may be left without a question of the browser's while files are sent or wait. */
	get leaveUnasked(): boolean {
		return this.hasAttribute("leave-unasked");
	}
	set leaveUnasked(value: boolean) {
		reflect(this, "leave-unasked", value);
	}
	/** How many files are sent at the same time (default: 2). */
	get simultaneous(): number {
		return numberIn(this, "simultaneous") ?? 2;
	}
	set simultaneous(value: number | null) {
		reflect(this, "simultaneous", value);
	}
	/** Whether more than one file is taken. */
	get multiple(): boolean {
		return this.hasAttribute("multiple");
	}
	set multiple(value: boolean) {
		reflect(this, "multiple", value);
	}
	/** Whether files wait for `start()`, or for the button of each. */
	get manual(): boolean {
		return this.hasAttribute("manual");
	}
	set manual(value: boolean) {
		reflect(this, "manual", value);
	}
	/** Whether a video can be recorded with the camera. The button is there only where the browser can do it. */
	get camera(): boolean {
		return this.hasAttribute("camera");
	}
	set camera(value: boolean) {
		reflect(this, "camera", value);
	}
	/** Whether files are taken. Uploads that run go on. */
	get disabled(): boolean {
		return this.hasAttribute("disabled");
	}
	set disabled(value: boolean) {
		reflect(this, "disabled", value);
	}
	/** Whether the form needs a video. */
	get required(): boolean {
		return this.hasAttribute("required");
	}
	set required(value: boolean) {
		reflect(this, "required", value);
	}
	/** The name of the field in a form. */
	get name(): string {
		return this.getAttribute("name") ?? "";
	}
	set name(value: string | null) {
		reflect(this, "name", value);
	}
	/** Words in place of the element's own, in any language. */
	get words(): SomeWords<UploaderWords> | null {
		return this.#words;
	}
	set words(value: SomeWords<UploaderWords> | null) {
		this.#words = value;
		this.render();
	}

	/** The files, in the order in which they were added. */
	get items(): readonly UploaderFile[] {
		return this.#files?.state.get() ?? [];
	}
	/** The ids of the videos whose uploads are done, without those of which it is known that they can't be played. */
	get videoIds(): readonly string[] {
		return this.items.flatMap((item) =>
			item.status === "done" && item.upload?.videoId && problemOf(item, this.#texts) === null
				? [item.upload.videoId]
				: [],
		);
	}
	get form(): HTMLFormElement | null {
		return this.#internals.form;
	}

	/**
	 * Adds files as if a person had chosen them, and returns their ids. A file that breaks a rule is shown with the
	 * reason, and not sent.
	 */
	add(files: Iterable<File>): readonly string[] {
		const list = this.#open();
		for (const { id, status } of this.items) if (status === "refused") void list.remove(id);
		const added = list.add(files);
		const taken = this.items.filter(({ id, refusal }) => refusal === null && added.includes(id));
		const { announceAdded, announceCount } = this.#texts;
		const [first] = taken;
		if (taken.length > 1) this.#say([countInWords(announceCount, taken.length, this.language)]);
		else if (first) this.#say([fill(announceAdded, { name: first.file.name })]);
		return added;
	}
	/** Starts what is ready, paused or failed, and asks again for videos that could not be asked for. */
	start(): void {
		this.#files?.start();
		this.#videos.retry();
		this.#followVideos();
	}
	/** Pauses all uploads. */
	pause(): void {
		this.#files?.pause();
	}
	/** Sends a file that waits for another upload (`upload.canReplace`) in that one's place, which is cancelled. */
	async replace(id: string): Promise<void> {
		await this.#files?.replace(id);
	}
	/** Removes a file from the list. An upload that has not ended is cancelled. */
	async removeFile(id: string): Promise<void> {
		await this.#files?.remove(id);
	}

	get #texts(): UploaderWords {
		return replaced(this.allWords.uploader, this.#words);
	}
	get #isOff(): boolean {
		return this.disabled || this.#formDisabled;
	}

	#open(): FileList {
		if (this.#files) return this.#files;
		this.#own ??= this.#uploader
			? undefined
			: createUploader({
					...this.uploadOptions,
					simultaneous: this.simultaneous,
					askBeforeLeaving: !this.leaveUnasked,
					initiate: (...asked) => this.#initiate(...asked),
				});
		const rules = () => ({
			accept: this.accept,
			maxBytes: this.maxBytes ?? Number.POSITIVE_INFINITY,
			maxFiles: this.multiple ? (this.maxFiles ?? Number.POSITIVE_INFINITY) : 1,
			manual: this.manual,
		});
		const list = createFileList(this.#uploader ?? (this.#own as Uploader), rules, this.#videos.get);
		list.state.subscribe(() => this.#follow());
		this.#files = list;
		// What happened before is no event of this element.
		this.#known = new Map(this.items.map((item) => [item.id, item]));
		return list;
	}

	#unfollow(): void {
		this.#files?.close();
		this.#files = undefined;
		this.#known = new Map();
	}

	async #initiate(
		...[file, ...more]: Parameters<UploaderOptions["initiate"]>
	): ReturnType<UploaderOptions["initiate"]> {
		// All that the list takes are files, with a name.
		if (this.initiate) return this.initiate(file as File, ...more);
		if (this.backEnd !== null) return fromBackEnd(this.backEnd).initiate(file);
		throw new Error("<reelmill-uploader> needs back-end, or a function as its property initiate.");
	}

	/** Tells the page and the form what has changed, and shows it. */
	#follow(): void {
		const before = this.#known;
		this.#known = new Map(this.items.map((item) => [item.id, item]));
		for (const item of this.items) {
			const known = before.get(item.id);
			if (known === item) continue;
			this.#tell("uploadprogress", item);
			const name = item.file.name;
			const reason = problemOf(item, this.#texts);
			if (item.video && item.video !== known?.video && isOver(item.video)) {
				this.#tell(reason === null ? "videoready" : "videofail", item);
				this.#say([reason === null ? fill(this.#texts.announceReady, { name }) : `${name}: ${reason}`]);
			}
			const event = known?.status === item.status ? undefined : eventOf[item.status];
			if (event === undefined) continue;
			this.#tell(event, item);
			if (item.status === "done") this.#say([fill(this.#texts.announceDone, { name })]);
			else if (reason !== null) this.#say([fill(this.#texts.announceFailed, { name, reason })]);
		}
		this.#followVideos();
		this.render();
	}

	#followVideos(): void {
		if (!this.isConnected) return;
		const done = this.items.flatMap(({ status, upload }) =>
			status === "done" && upload?.videoId ? [upload.videoId] : [],
		);
		this.#videos.follow(done, this.#ask === false ? null : (this.#ask ?? this.backEnd));
	}

	#tell(type: keyof UploaderEvents, item: UploaderFile): void {
		this.dispatchEvent(new CustomEvent<UploaderEventDetail>(type, { bubbles: true, detail: { item } }));
	}

	#say(sentences: readonly string[]): void {
		if (sentences.length > 0) setText(this.#spoken, sentences.join(" "));
	}

	#act(item: UploaderFile, action: Action): void {
		const { id } = item;
		if (action === "pause") this.#files?.pause(id);
		else if (action === "replace") void this.replace(id);
		else if (action === "cancel" || action === "remove") void this.#files?.remove(id);
		else this.#files?.start(id);
		if (action === "cancel") this.#tell("uploadcancel", item);
	}

	async #record(): Promise<void> {
		const file = await recordVideo(this.root, this.#texts);
		if (file) this.add([file]);
		this.#zone.choose.focus();
	}

	protected render(): void {
		const { items, language, multiple } = this;
		const words = this.#texts;
		this.#group.setAttribute("aria-label", words.label);
		this.#zone.element.hidden = !multiple && items.some(isTaken);
		this.#zone.show({
			words,
			language,
			multiple,
			disabled: this.#isOff,
			camera: this.camera && canRecord(),
			accept: this.accept,
			maxBytes: this.maxBytes ?? undefined,
			isOver: this.#isOver,
		});
		this.#summary.show(items, { words, language });
		this.#list.show(items, { words, language });
		this.#showToForm(words);
	}

	#showToForm(words: UploaderWords): void {
		const values = new FormData();
		for (const id of this.videoIds) values.append(this.name, id);
		this.#internals.setFormValue(this.name ? values : null);
		const runs = this.items.some(({ status }) => !isEnded(status) && status !== "failed" && status !== "ready");
		if (runs) this.#internals.setValidity({ customError: true }, words.unfinished, this.#list.element);
		else if (this.required && this.videoIds.length === 0) {
			const [problem] = this.items.flatMap((item) => problemOf(item, words) ?? []);
			// The browser can't point at what is hidden.
			if (this.#zone.element.hidden)
				this.#internals.setValidity({ valueMissing: true }, problem ?? words.unfinished, this.#list.element);
			else
				this.#internals.setValidity(
					{ valueMissing: true },
					[problem, words.missing].filter(Boolean).join(" "),
					this.#zone.choose,
				);
		} else this.#internals.setValidity({});
	}
}
