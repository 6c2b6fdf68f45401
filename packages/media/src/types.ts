import type { Container } from "@reelmill/contracts/containers";
import type { Continuation } from "./source/continued-streams.ts";
import type { ClockJump } from "./source/packet-clock.ts";

/**
 * How ffmpeg and ffprobe are confined to what they need. `preferred` takes all parts that work on the machine;
 * `required` rejects if a part is missing. With `off` there are only limits on what they use, and they have no right of
 * root except those to files.
 */
export type ConfinementChoice = "required" | "preferred" | "off";

/** Takes messages for the operator. The fields come first, as in pino. */
export type Logger = {
	debug(fields: object, message: string): void;
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
};

/** Records what programs run, as spans. The engine's tracer port is one. */
export type Tracer = {
	/** Does the work inside of a new span. A work that rejects marks it as failed. */
	span<T>(
		name: string,
		options: {
			readonly kind?: "internal" | "server" | "client" | "consumer";
			readonly parent?: string | null;
			readonly attributes?: Readonly<Record<string, string | number | boolean>>;
		},
		work: (span: TracedSpan) => T,
	): T;
	/** Returns the `traceparent` of the span around the caller; `null` if there is none. */
	current(): string | null;
};

/** A span while it goes on. */
export type TracedSpan = {
	/** Names the span in the form of W3C Trace Context. */
	readonly traceparent: string;
	set(attributes: Readonly<Record<string, string | number | boolean>>): void;
	/** Marks the span as failed, by a code. */
	fail(type: string): void;
};

/** The programs that do the work: absolute paths, or names that are searched in the system's usual folders. */
export type Tools = {
	readonly ffmpeg: string;
	readonly ffprobe: string;
	/** Confines the programs: files, network, rights, system calls, root's user (default: `preferred`). */
	readonly confinement?: ConfinementChoice;
	/**
	 * How many seconds a program may use less than a thousandth of a processor before it is killed: it was stopped, it
	 * waits for what never comes, or its disk or device hangs (default: 120).
	 */
	readonly stallSeconds?: number;
	/** Records each run of a program as a span (default: none). */
	readonly tracer?: Tracer;
	/** The hardware that encodes what it can, as `findHardware` found it (default: software encodes all). */
	readonly hardware?: Hardware | undefined;
};

/** A codec that outputs are encoded with. */
export type Codec = "h264" | "av1";

/** `fast` takes the faster preset of each encoder: about half of the work, and more bits for the same SSIM. */
export type Speed = "balanced" | "fast";

/** Which kinds of outputs a job is to make. */
export type OutputSelection = {
	readonly hls: boolean;
	readonly dash: boolean;
	readonly mp4_fallback: boolean;
	readonly og_thumbnail: boolean;
};

/** What to make of a source. A job of the internal plane is one. */
export type MediaJob = {
	readonly plan: {
		/** Names of rungs: h264_720, h264_1080, av1_720, av1_1080. */
		readonly renditions: readonly string[];
		readonly outputs: OutputSelection;
		/** Makes pictures for moderators under frames/, one for every key frame (default: false). */
		readonly moderation_frames?: boolean;
		/** Marks every picture as made in the sandbox (default: false). */
		readonly watermark?: boolean;
		/** Writes speech down as transcript.vtt (default: false). */
		readonly transcript?: boolean;
	};
	readonly limits: {
		readonly max_duration_seconds: number;
		/** The most pixels of a picture times the number of pictures (default: no limit). */
		readonly max_decoded_pixels?: number | undefined;
	};
	/** (default: `balanced`) */
	readonly speed?: Speed;
};

/** A fraction, such as a frame rate in frames a second. */
export type Rational = { readonly numerator: number; readonly denominator: number };
/** Width and height in pixels. */
export type Size = { readonly width: number; readonly height: number };

export type { Container };

/** The shape that pictures have from a moment on. */
export type PictureShape = Size & {
	/** Seconds after the file's first timestamp. */
	readonly fromSeconds: number;
	readonly sampleAspectRatio: Rational;
	/** Set if its pixels are only taken for square. */
	readonly pixelShape?: "guessed";
};

/** The channels that a track of sound has from a moment on. */
export type ChannelRun = {
	/** Seconds after the file's first timestamp. */
	readonly fromSeconds: number;
	readonly channels: number;
};

/** What the numbers of a picture's pixels mean: ffprobe's names; "unknown" if the file has none. */
export type Colour = {
	readonly matrix: string;
	readonly transfer: string;
	readonly primaries: string;
	readonly range: string;
};

/** The colours of pictures from a moment on, in seconds after the file's first timestamp. */
export type ColourRun = { readonly fromSeconds: number; readonly colour: Colour };

/** What is known of a source's picture. */
export type SourceVideo = {
	readonly index: number;
	readonly codec: string;
	/**
	 * The size in stored pixels, before rotation and pixel aspect. Of a source that changes its size midway, it is the
	 * largest as displayed of those that at least a tenth of the time has; `sampleAspectRatio` belongs to it.
	 */
	readonly width: number;
	readonly height: number;
	/** Set if the size or the shape of the pixels changes midway: all of them in the order of their times. */
	readonly shapes?: readonly PictureShape[];
	/** How many degrees the picture is turned clockwise for display. */
	readonly rotation: 0 | 90 | 180 | 270;
	/**
	 * What the source asks for if it is no quarter turn: `upended` is mirrored top to bottom; `tilted` is turned by
	 * another angle, which players don't show.
	 */
	readonly matrix?: "upended" | "tilted";
	readonly sampleAspectRatio: Rational;
	/**
	 * Set if the pixels are only taken for square: the file declares no shape that they can have, and its picture has a
	 * size of discs, tapes or broadcasts, whose pixels aren't square.
	 */
	readonly pixelShape?: "guessed";
	/** Frames per second, as counted: the rate that nine in ten gaps between frames have, or else the average. */
	readonly frameRate: number;
	/** Frames per second where the picture moves. It is more than `frameRate` if the picture stands still for long. */
	readonly motionRate: number;
	/** Whether the gaps between frames differ. */
	readonly variableFrameRate: boolean;
	/** The share of the gaps between frames that differ from the usual one, from 0 to 1. */
	readonly unevenGaps: number;
	readonly interlaced: boolean;
	readonly pixelFormat: string;
	/** The decoder that reads the picture with its transparency (default: ffmpeg's own for the codec). */
	readonly decoder?: "libvpx" | "libvpx-vp9";
	readonly colour: Colour;
	/** The colours in turn, if some of the pictures are HDR and others aren't (default: `colour` throughout). */
	readonly colourRuns?: readonly ColourRun[];
	/** When the first frame begins, in seconds after the file's first timestamp. */
	readonly startSeconds: number;
	/** When the last frame ends, in seconds after the file's first timestamp. */
	readonly endSeconds: number;
	/** How many packets are decoded, with those that an edit list hides. Each is a picture or a field. */
	readonly packets: number;
	/** How many of them come before the first key frame, so that they may not be decodable. Left out if there are none. */
	readonly packetsBeforeKey?: number;
	/**
	 * The bytes that are shown in each second after the file's first timestamp, to within a second. Seconds without bytes
	 * are left out.
	 */
	readonly bytesBySecond: readonly (readonly [second: number, bytes: number])[];
};

/**
 * What a track of sound is for, if it is no ordinary sound: `description` tells the visually impaired what is seen,
 * `commentary` talks about the film, `clear_speech` is for the hard of hearing, `effects` lacks the speech.
 */
export type SoundKind = "description" | "commentary" | "clear_speech" | "effects";

/** What is known of a source's sound. */
export type SourceAudio = {
	readonly index: number;
	readonly codec: string;
	/** Of a track that changes them midway, the most of those that at least a tenth of the time has. */
	readonly channels: number;
	/** Set if the channels change midway: all of them in the order of their times. */
	readonly channelRuns?: readonly ChannelRun[];
	/**
	 * Set if ffmpeg has no rule for mixing the channels to stereo: `ambisonic` are a sphere's channels, `unknown` are
	 * many channels without a layout.
	 */
	readonly unmixable?: "ambisonic" | "unknown";
	/** Samples a second, of each channel. */
	readonly sampleRate: number;
	/** The language that the file names: the shortest tag of RFC 5646, such as `de`; `null` if it names none. */
	readonly language: string | null;
	/** The title that the file gives it, without characters that would end a text in a playlist; `null` for none. */
	readonly title: string | null;
	/** Set if the file marks it as no ordinary sound. */
	readonly kind?: SoundKind;
	/** When the sound begins and ends, in seconds after the file's first timestamp. */
	readonly startSeconds: number;
	readonly endSeconds: number;
};

/** A track of subtitles of a source: text, or pictures of text. */
export type SourceText = {
	readonly index: number;
	readonly codec: string;
	/** The language that the file names: the shortest tag of RFC 5646, such as `de`; `null` if it names none. */
	readonly language: string | null;
	/** The title that the file gives it, without characters that would end a text in a playlist; `null` for none. */
	readonly title: string | null;
	/** Whether the file says that it is shown by default. */
	readonly isDefault: boolean;
	/** Whether it has only what is shown to everybody, such as the translation of a sign. */
	readonly isForced: boolean;
	/** Whether it also tells what is heard beside the words, for those who can't hear. */
	readonly tellsSounds: boolean;
};

/** A chapter of a source. It ends where the next one begins. */
export type SourceChapter = {
	/** When it begins, in seconds after the file's first timestamp. */
	readonly startSeconds: number;
	/** `null` if it has none. */
	readonly title: string | null;
};

/** The length that the file declares for itself or for one of its tracks, and the length that it holds. */
export type SourceLength = {
	/** `null` if it declares none. */
	readonly declaredSeconds: number | null;
	readonly foundSeconds: number;
};

/**
 * What a source shows, as far as encoders care: what was `filmed` or rendered, a `screen` that was recorded, or a
 * picture full of `noise`.
 */
export type ContentKind = "filmed" | "screen" | "noise";
/** The kind, and what it was told by. */
export type Content = { readonly kind: ContentKind; readonly because: string };

/** The programme that was taken of a file with several: a picture and its sounds, as one channel broadcasts them. */
export type SourceProgramme = {
	/** The name of the channel, or else the number of the programme. */
	readonly name: string;
	/** The names of the others, which are left out. */
	readonly others: readonly string[];
};

/** What a source is, as measured. */
export type SourceProbe = {
	readonly container: Container;
	/** Seconds from the first timestamp to the end of the picture or the sound, whichever is later. */
	readonly durationSeconds: number;
	readonly length: SourceLength;
	/** The size as displayed, with rotation and pixel aspect applied. */
	readonly width: number;
	readonly height: number;
	readonly video: SourceVideo;
	/** The sound that plays by default; `null` if there is no sound that can be decoded. */
	readonly audio: SourceAudio | null;
	/** The other tracks of sound that can be decoded, in the order of the file. Those of a `kind` come last. */
	readonly furtherAudio: readonly SourceAudio[];
	/** Set if the file has several programmes: the one that the picture and all sounds are of. */
	readonly programme?: SourceProgramme;
	/**
	 * The index of the stream whose first timestamp is the earliest, in a container whose clock may jump; `null` in
	 * others. In such a container ffmpeg counts time from the earliest of the streams that it reads.
	 */
	readonly earliestStream: number | null;
	/**
	 * Where the clock of the picture and the sounds jumps, in a file that is several recordings one behind another or
	 * that lost its signal (default: nowhere). All other times of the probe are those without the jumps.
	 */
	readonly clockJumps?: readonly ClockJump[];
	/**
	 * The streams of an MPEG-TS that go on under other numbers (PID), as a file does that is several recordings one behind
	 * another, and the numbers of its tables (default: none). `probe` measures what comes before; `processVideo` puts them
	 * together.
	 */
	readonly renumbered?: {
		readonly continuations: readonly Continuation[];
		readonly tables: readonly number[];
		/** The length of the pictures of all recordings together. */
		readonly seconds: number;
		/** How many sounds are beside the first picture. */
		readonly sounds: number;
	};
	/** Set if the file has further recordings that can't be put together: all times are those of the first one. */
	readonly isFirstAlone?: true;
	/** The tracks of subtitles, in the order of the file; left out if there are none. */
	readonly texts?: readonly SourceText[];
	/** The chapters, in order; left out if there are none. */
	readonly chapters?: readonly SourceChapter[];
	/** What it shows. `processVideo` and `encodeChunk` look at pictures for it; `probe` doesn't. */
	readonly content?: Content;
};

/** A way to a hardware encoder. */
export type HardwareKind = "vaapi" | "qsv" | "nvenc" | "videotoolbox";

/** A hardware encoder that was found to work. `findHardware` makes it. */
export type Hardware = {
	readonly kind: HardwareKind;
	/** A render node such as `/dev/dri/renderD128`, or the number of an NVIDIA card; `null` leaves it to ffmpeg. */
	readonly device: string | null;
	/** What it encodes. Everything else is encoded in software. */
	readonly codecs: readonly Codec[];
	/** The device files that ffmpeg may use. */
	readonly deviceFiles: readonly string[];
};
