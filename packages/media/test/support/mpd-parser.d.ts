declare module "mpd-parser" {
	type Range = { offset: number; length: number };
	type Playlist = {
		attributes: {
			NAME: string;
			CODECS: string;
			BANDWIDTH: number;
			RESOLUTION?: { width: number; height: number };
			"FRAME-RATE"?: number;
		};
		sidx: { resolvedUri: string; byterange: Range; map: { resolvedUri: string; byterange: Range } };
		segments: { resolvedUri: string; duration: number; byterange: Range }[];
		targetDuration: number;
		endList: boolean;
	};
	type Manifest = {
		duration: number;
		playlists: Playlist[];
		mediaGroups: {
			AUDIO: { audio: Record<string, { language: string; playlists: Playlist[] }> };
			SUBTITLES: { subs?: Record<string, { language: string; playlists: Playlist[] }> };
		};
	};
	type SidxMapping = Record<string, { sidxInfo: Playlist["sidx"]; sidx: object }>;
	export function parse(manifest: string, options: { manifestUri: string; sidxMapping?: SidxMapping }): Manifest;
	export function generateSidxKey(sidx: Playlist["sidx"]): string;
}
