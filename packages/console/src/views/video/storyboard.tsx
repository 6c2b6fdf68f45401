import { useQuery } from "@tanstack/react-query";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { formatLength } from "../../format/amounts.ts";
import { useDelivered, useObjectUrl } from "../../playback/use-delivered.ts";
import { seek } from "./seek.ts";
import styles from "./storyboard.module.css";
import { type Tile, tilesOf } from "./storyboard-cues.ts";

const mostTiles = 40;

/** The storyboard as a strip of pictures: each takes the player to its moment. */
export function Storyboard({ url }: { url: string }) {
	const { data: file, error } = useDelivered(url);
	const { data: tiles = [] } = useQuery({
		queryKey: ["storyboard", url],
		queryFn: async () => tilesOf(await (file as Blob).text(), url),
		enabled: file !== undefined,
	});
	const step = Math.max(1, Math.ceil(tiles.length / mostTiles));
	const shown = tiles.filter((_, index) => index % step === 0);
	return (
		<Panel title="Storyboard">
			<Problem error={error} />
			<div className={styles.tiles}>
				{shown.map((tile) => (
					<Picture key={tile.seconds} tile={tile} />
				))}
			</div>
		</Panel>
	);
}

function Picture({ tile }: { tile: Tile }) {
	const address = useObjectUrl(useDelivered(tile.picture).data);
	const moment = formatLength(tile.seconds);
	return (
		<button type="button" className={styles.tile} onClick={() => seek(tile.seconds)} aria-label={`Go to ${moment}`}>
			<span className={styles.picture} style={lookOf(tile, address)} />
			{moment}
		</button>
	);
}

/** At its own size: nobody knows how large the sheet is before it is decoded. */
const lookOf = ({ left, top, width, height }: Tile, address: string | undefined) => ({
	width,
	height,
	...(address !== undefined && {
		backgroundImage: `url("${address}")`,
		backgroundPosition: `-${left}px -${top}px`,
	}),
});
