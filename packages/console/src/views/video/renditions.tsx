import { Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import type { VideoView } from "../../playback/video-state.tsx";

type Rendition = NonNullable<VideoView["outputs"]>["renditions"][number];

/** What was made of the source, a row each. */
export function Renditions({ renditions }: { renditions: readonly Rendition[] }) {
	return (
		<Panel title="Renditions">
			<Table
				label="Renditions of this video"
				rows={renditions}
				rowKey={({ name }) => name}
				columns={[
					{ name: "Name", cell: ({ name }) => <code>{name}</code> },
					{ name: "Codec", cell: ({ codec }) => (codec === "av1" ? "AV1" : "H.264") },
					{ name: "Picture", numeric: true, cell: ({ width, height }) => `${width} × ${height}` },
					{ name: "Bit rate", numeric: true, cell: ({ bitrate }) => `${(bitrate / 1e6).toFixed(2)} Mbit/s` },
				]}
			/>
		</Panel>
	);
}
