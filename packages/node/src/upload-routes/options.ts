import type { ConnectionError, ReelmillError } from "@reelmill/client";
import type { AskedUpload, Video } from "@reelmill/contracts";
import type { Reelmill } from "../reelmill.ts";
import type { CreateVideoInput } from "../tickets.ts";

/** Who sends a request. Add what `describe` and `mayPlay` need. */
export type Person = {
	/**
	 * Your own name of this person: the `uploader_ref` of their uploads and the `viewer_ref` of their keys. Take it from
	 * the session, and never from what the page says.
	 */
	ref: string;
};

/** What an upload becomes, besides what the file tells. */
export type UploadDescription = Omit<
	CreateVideoInput,
	"content_type" | "file_size" | "duration_seconds" | "uploader_ref"
>;

/** `Source` is the request as the framework hands it to your functions. */
export type UploadRoutesOptions<Source = Request, Who extends Person = Person> = {
	/** The SDK that calls the service. */
	reelmill: Pick<Reelmill, "videos" | "playbackKeys">;
	/**
	 * Says who sends this request, by its session or token; null for nobody, which is answered with 401. Throw
	 * `new ReelmillError("forbidden")` for somebody who may do nothing here. It is called for every request, before
	 * anything else of it is looked at but where it comes from.
	 */
	authorize: (request: Source) => Who | null | Promise<Who | null>;
	/**
	 * Says what an upload becomes: its `external_ref`, its `visibility`, and so on. `asked.about` is what the page says
	 * of it; don't trust that. `asked.file_name` is the file's name, which fits an `external_ref`; where you decide by
	 * that field who may watch, don't take it from a page. Null refuses the upload with 403 (default: nothing besides what
	 * the file tells).
	 */
	describe?: (asked: AskedUpload, person: Who) => UploadDescription | null | Promise<UploadDescription | null>;
	/**
	 * Whether a person may watch a video and get a key for it. No is answered with 403 (default: the videos that this
	 * person uploaded, and public ones). It isn't asked whether people may see the state of what they uploaded.
	 */
	mayPlay?: (video: Video, person: Who) => boolean | Promise<boolean>;
	/** How many seconds a playback key is valid (default: 3600). The player asks for the next one before that. */
	keySeconds?: number;
	/**
	 * Origins of other sites whose pages may call, such as `https://app.example.com`; they get CORS headers (default:
	 * none). A page of the same origin always may.
	 */
	allowedOrigins?: readonly string[];
	/** Called with the error of each request that is refused or fails with an answer, for a log. */
	onRefused?: (error: ReelmillError | ConnectionError) => void;
};
