declare module "m3u8-parser" {
	type Range = { offset: number; length: number };
	export class Parser {
		manifest: {
			mediaGroups: Record<string, Record<string, Record<string, object>>>;
			playlists?: { uri: string }[];
			iFramePlaylists?: { uri: string }[];
			endList: boolean;
			targetDuration: number;
			segments: { duration: number; uri: string; byterange: Range; map: { uri: string; byterange: Range } }[];
		};
		push(text: string): void;
		end(): void;
	}
}
