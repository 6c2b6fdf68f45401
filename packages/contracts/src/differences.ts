type Row = {
	/** The option that mends the difference; null if only a person can. */
	readonly mendedBy: "repair" | "adopt" | "remove_orphans" | "remove_unknown_domains" | null;
	/** A sentence that says what is different. */
	readonly says: string;
	/** A sentence that says what the mend does. */
	readonly mend: string;
};

/** Every way in which rows and storage can differ, as `POST /admin/v1/check` finds them. This file imports nothing. */
export const differences = {
	video_unplayable: {
		mendedBy: "repair",
		says: "The video is available, and no complete way to play it is stored.",
		mend: "The video fails with `storage_error` (webhook `video.failed`). What is left of its files is kept for seven days.",
	},
	files_missing: {
		mendedBy: "repair",
		says: "The video is available and can be played, but some of its files are not stored, or not in their size.",
		mend: "Where a file was edited, and the one of before the first edit is stored, the video names that one again. It no longer names the other files. Where a file of its stream is among these, it names only `web.mp4` and what stands beside it; where a file of its opening is, it names no opening.",
	},
	outro_unplayable: {
		mendedBy: "repair",
		says: "The outro is available, and its file is not stored in its size.",
		mend: "The outro fails with `storage_error`, and is appended to no further video.",
	},
	source_missing: {
		mendedBy: "repair",
		says: "The upload is to be encoded, and is not stored in its whole size.",
		mend: "The video, or the outro, fails with `source_missing` (webhook `video.failed`). What is left of the upload is kept for seven days.",
	},
	public_copy_missing: {
		mendedBy: "repair",
		says: "The video is public at its bucket's own address, and some of its copies there are not stored in their size.",
		mend: "The video is served by the delivery plane, and copied anew.",
	},
	bytes_differ: {
		mendedBy: null,
		says: "A file has its size, and other bytes than were stored, or can't be read. Only `--deep` finds it.",
		mend: "Nothing: put the file back from a backup, or delete it and check with `--repair`.",
	},
	public_copy_differs: {
		mendedBy: "repair",
		says: "The video is public at its bucket's own address, and a copy there has other bytes than were stored, or can't be read. Only `--deep` finds it.",
		mend: "The video is served by the delivery plane, and copied anew.",
	},
	counters_wrong: {
		mendedBy: "repair",
		says: "Bytes stored, bytes reserved or processing slots of the domain are not what its videos come to.",
		mend: "They are set to what its videos come to.",
	},
	outputs_adoptable: {
		mendedBy: "adopt",
		says: "A complete set of outputs is stored, and its video is not known, or not known to have them.",
		mend: "The video is available with them (webhook `video.ready`). One that is not known is made anew: private, without references, with what its playlists tell.",
	},
	outputs_unused: {
		mendedBy: "remove_orphans",
		says: "Outputs are stored that no video has.",
		mend: "They are deleted.",
	},
	upload_unused: {
		mendedBy: "remove_orphans",
		says: "An upload is stored that nothing waits for.",
		mend: "It is deleted.",
	},
	public_copies_unused: {
		mendedBy: "remove_orphans",
		says: "Copies that anyone may read are stored of a video that is not public, or not known.",
		mend: "They are deleted.",
	},
	probe_left: {
		mendedBy: "remove_orphans",
		says: "A probe object is stored by which the storage was tried.",
		mend: "It is deleted.",
	},
	unknown_domain: {
		mendedBy: "remove_unknown_domains",
		says: "Outputs are stored of a domain that is not known here. In a bucket they may be another installation's.",
		mend: "They are deleted.",
	},
	storage_unreachable: {
		mendedBy: null,
		says: "The storage can't be looked at now.",
		mend: "Nothing: see why, and check again.",
	},
} as const satisfies Record<string, Row>;

/** What kind of difference the check found between database and storage. */
export type DifferenceKind = keyof typeof differences;
/** Every kind of difference between database and storage. */
export const differenceKinds = Object.keys(differences) as readonly DifferenceKind[] as readonly [
	DifferenceKind,
	...DifferenceKind[],
];
