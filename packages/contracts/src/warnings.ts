/**
 * What a tenant should know of a source that was processed all the same, each with its sentence. Workers write the
 * codes into the report; the service adds the sentences. Imports nothing, so that workers and pages can have it.
 */
export const warnings = {
	cut_off: "The end of the file is missing. The video ends where the file does.",
	damaged: "Parts of the file are damaged. The video shows or sounds wrong there.",
	changes_midway:
		"The picture or the sound changes its shape midway. The video has one size and one number of channels; pictures of another shape have black bars.",
	variable_rate:
		"The pictures come at uneven times. The video has a constant rate, so some of them stand a little longer or shorter.",
	odd_rate: "The frame rate is unusual. The video keeps it, and may not run evenly on every screen.",
	wrong_aspect:
		"The picture may be squeezed or stretched: the file doesn't say what shape its pixels have, and at this size they are seldom square.",
	black_bars: "Black bars are part of the picture. On a screen of another shape, players add bars of their own.",
	black_at_start: "The picture is black for the first second or longer.",
	very_dark: "The picture is so dark that little can be seen.",
	no_sound: "The file has no sound that can be decoded.",
	silent: "The sound is silence from beginning to end.",
	sound_clipped: "The sound was recorded too loud: its peaks are cut off, which can be heard as crackling.",
	tracks_left_out: "The file has more than four tracks of sound. The others are left out.",
} as const;

/** What is wrong with a source, in the report of its video. */
export type WarningCode = keyof typeof warnings;
