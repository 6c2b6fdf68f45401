/** How ffmpeg and ffprobe are kept from more than they need; see `Tools`. */
export type ConfinementChoice = "required" | "preferred" | "off";

/** Words for the operator: fields first, as pino takes them. */
export type Logger = {
	debug(fields: object, message: string): void;
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
};

/** The programs that do the work: absolute paths, or names that are looked for in the system's usual folders. */
export type Tools = {
	readonly ffmpeg: string;
	readonly ffprobe: string;
	/**
	 * What keeps them from more than they need: files, network, rights, system calls, root's user. `preferred` (the
	 * default) takes as much of it as works here, `required` rejects where a part is missing. With `off` there are only
	 * limits on what they use, and no right of root's but those to files.
	 */
	readonly confinement?: ConfinementChoice;
};

export type Codec = "h264" | "av1";

/**
 * `fast` encodes AV1 at preset 12 in place of 10, with less than half of the work for it; for the same SSIM it takes a
 * quarter more bits.
 */
export type Speed = "balanced" | "fast";

export type OutputSelection = {
	readonly hls: boolean;
	readonly dash: boolean;
	readonly mp4_fallback: boolean;
	readonly og_thumbnail: boolean;
};

/** What is to be made of a source. A job of the internal plane fits as it is. */
export type MediaJob = {
	readonly plan: {
		/** Names of the ladder: h264_720, h264_1080, av1_720, av1_1080. */
		readonly renditions: readonly string[];
		readonly outputs: OutputSelection;
		/** Pictures for moderators under frames/, one for every key frame; none unless told. */
		readonly moderation_frames?: boolean;
		/** Marks every picture as made in the sandbox; not unless told. */
		readonly watermark?: boolean;
		/** Speech is to be written down as transcript.vtt; not unless told. */
		readonly transcript?: boolean;
	};
	readonly limits: {
		readonly max_duration_seconds: number;
		/** Pixels of a picture times the number of pictures that the source may have; any number unless told. */
		readonly max_decoded_pixels?: number | undefined;
	};
	/** `balanced` unless told. */
	readonly speed?: Speed;
};

export type Rational = { readonly numerator: number; readonly denominator: number };
export type Size = { readonly width: number; readonly height: number };

/** Demuxers that a source may need; the names are ffmpeg's. */
export type Container = "mov" | "matroska" | "mpegts" | "mpeg" | "avi" | "flv";

export type SourceVideo = {
	readonly index: number;
	readonly codec: string;
	/** Stored pixels, before rotation and pixel aspect. */
	readonly width: number;
	readonly height: number;
	/** Degrees clockwise that the picture is turned for display. */
	readonly rotation: 0 | 90 | 180 | 270;
	/**
	 * Where the source asks for what no quarter turns are: mirrored top to bottom (`upended`), or turned by another angle
	 * (`tilted`), as which players don't show it.
	 */
	readonly matrix?: "upended" | "tilted";
	readonly sampleAspectRatio: Rational;
	/** Frames per second, as counted: the average, or the rate that nine in ten gaps between frames keep to. */
	readonly frameRate: number;
	/** True where the gaps between frames differ. */
	readonly variableFrameRate: boolean;
	readonly interlaced: boolean;
	readonly pixelFormat: string;
	/** ffprobe's names; "unknown" where the file says nothing. */
	readonly colour: {
		readonly matrix: string;
		readonly transfer: string;
		readonly primaries: string;
		readonly range: string;
	};
	/** Seconds after the file's first timestamp at which the last frame's time ends. */
	readonly endSeconds: number;
	/**
	 * Packets that are decoded, each of which is a picture or a field. Those that an edit list hides are decoded, too.
	 */
	readonly packets: number;
	/**
	 * Bytes of its packets, by the whole second after the file's first timestamp in which they are shown, to within a
	 * second. Seconds without any are left out.
	 */
	readonly bytesBySecond: readonly (readonly [second: number, bytes: number])[];
};

export type SourceAudio = {
	readonly index: number;
	readonly codec: string;
	readonly channels: number;
	/**
	 * Where ffmpeg has no rule by which its channels become two: a sphere's (`ambisonic`), or many of which nothing is
	 * said (`unknown`).
	 */
	readonly unmixable?: "ambisonic" | "unknown";
	readonly sampleRate: number;
	/** Seconds after the file's first timestamp at which the sound begins, and ends. */
	readonly startSeconds: number;
	readonly endSeconds: number;
};

/** How long the file says that it is, or that one of its tracks is, and how much of that it holds. */
export type SourceLength = {
	/** Null where it says nothing. */
	readonly declaredSeconds: number | null;
	readonly foundSeconds: number;
};

/** What a source is, measured and not only declared. */
export type SourceProbe = {
	readonly container: Container;
	/** Seconds from the first timestamp to the end of picture and sound. */
	readonly durationSeconds: number;
	readonly length: SourceLength;
	/** As displayed: rotation and pixel aspect applied. */
	readonly width: number;
	readonly height: number;
	readonly video: SourceVideo;
	/** Null where there is no sound that can be decoded. */
	readonly audio: SourceAudio | null;
};
