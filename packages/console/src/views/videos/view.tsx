import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { LinkButton } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { DropZone } from "../../uploads/drop-zone.tsx";
import { useStaged } from "../../uploads/staged.ts";
import { UploadTray } from "../../uploads/upload-tray.tsx";
import { EraseUploader } from "./erase-uploader.tsx";
import { FindVideos } from "./find-videos.tsx";
import { StateTabs } from "./state-tabs.tsx";
import type { VideoFilter } from "./video-filter.ts";
import { VideoList } from "./video-list.tsx";
import styles from "./view.module.css";

const route = getRouteApi("/d/$domain/videos");

/** All videos of the domain: found by state, reference or id, and live while they change. */
export function Videos() {
	const { state, search, external_ref, uploader_ref, metadata_key, metadata_value } = route.useSearch();
	const valued = metadata_key && metadata_value ? { metadata_key, metadata_value } : {};
	const { domain } = route.useParams();
	const navigate = useNavigate();
	const { stage } = useStaged();
	const filter = { state, search, external_ref, uploader_ref, ...valued } as VideoFilter;
	const send = (files: readonly File[]) => {
		stage(files);
		void navigate({ to: "/d/$domain/upload", params: { domain } });
	};
	return (
		<>
			<DropZone onFiles={send} />
			<Page
				title="Videos"
				actions={
					<>
						{uploader_ref !== undefined && <EraseUploader uploader={uploader_ref} />}
						<LinkButton kind="primary" to="/d/$domain/upload" params={{ domain }}>
							Upload
						</LinkButton>
					</>
				}
			>
				<div className="stack">
					<UploadTray />
					<div className={styles.filters}>
						<StateTabs
							state={state}
							hasReference={Boolean(search ?? external_ref ?? uploader_ref ?? filter.metadata_key)}
						/>
						<FindVideos key={JSON.stringify({ ...filter, state: undefined })} filter={filter} />
					</div>
					<VideoList key={JSON.stringify(filter)} filter={filter} />
				</div>
			</Page>
		</>
	);
}
