import { Link } from "@tanstack/react-router";
import { useCall } from "../../api/api.tsx";
import { Page } from "../../components/page.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatBytes, formatDuration } from "../../format/amounts.ts";
import { useDomain } from "../../frame/domain-frame.tsx";
import { ChooseVideos } from "../../uploads/choose-videos.tsx";
import { DropZone } from "../../uploads/drop-zone.tsx";
import { useStaged } from "../../uploads/staged.ts";
import { useUploads } from "../../uploads/uploads.ts";
import { Imports } from "./imports.tsx";
import { StagedFiles } from "./staged-files.tsx";
import { UploadRow } from "./upload-row.tsx";

/** Uploads files from the browser, as a tenant's page does: with pause, and resumed after a reload. */
export function Upload() {
	const { slug } = useDomain();
	const { uploads, remove } = useUploads();
	const { stage } = useStaged();
	const { data: limits } = useCall("getLimits", {});
	return (
		<>
			<DropZone onFiles={stage} />
			<Page
				title="Upload"
				back={
					<Link to="/d/$domain/videos" params={{ domain: slug }}>
						Videos
					</Link>
				}
			>
				<div className="parts">
					<ChooseVideos onFiles={stage}>
						or drop them anywhere on this page.{" "}
						{limits &&
							`Up to ${formatBytes(limits.max_file_bytes)} and ${formatDuration(limits.max_duration_seconds)} each.`}
					</ChooseVideos>
					<StagedFiles />
					{uploads.length > 0 && (
						<Panel title="Uploads">
							<ul>
								{uploads.map((upload) => (
									<UploadRow
										key={upload.key}
										upload={upload}
										rows={uploads.length}
										onRemove={() => remove(upload.key)}
									/>
								))}
							</ul>
							<p className="muted small">
								They continue while you look at other pages. If you close this one, choose the same file again later:
								its upload continues where it stopped.
							</p>
						</Panel>
					)}
					<Imports />
				</div>
			</Page>
		</>
	);
}
