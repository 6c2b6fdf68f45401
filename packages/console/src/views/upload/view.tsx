import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatBytes, formatDuration } from "../../format/amounts.ts";
import { useDomain } from "../../frame/domain-frame.tsx";
import { DropZone } from "../../uploads/drop-zone.tsx";
import { useUploads, type Wishes } from "../../uploads/uploads.ts";
import { UploadRow } from "./upload-row.tsx";
import styles from "./view.module.css";
import { WishesForm } from "./wishes-form.tsx";

/** Uploads files from the browser, as a tenant's page does: with pause, and resumed after a reload. */
export function Upload() {
	const { slug } = useDomain();
	const { uploads, add, remove } = useUploads();
	const [wishes, setWishes] = useState<Wishes>({});
	const limits = useCall("getLimits", {});
	const send = (files: readonly File[]) => add(files, wishes);
	return (
		<>
			<DropZone onFiles={send} />
			<Page
				title="Upload"
				back={
					<Link to="/d/$domain/videos" params={{ domain: slug }}>
						Videos
					</Link>
				}
			>
				<div className="stack">
					<div className={styles.choose}>
						<FileTrigger allowsMultiple acceptedFileTypes={["video/*"]} onSelect={(files) => send([...(files ?? [])])}>
							<Button kind="primary">Choose videos</Button>
						</FileTrigger>
						<p className="muted">
							or drop them anywhere on this page
							{limits.data && (
								<>
									; each at most {formatBytes(limits.data.max_file_bytes)} and{" "}
									{formatDuration(limits.data.max_duration_seconds)}
								</>
							)}
						</p>
					</div>
					{uploads.length > 0 && (
						<Panel title="Uploads of this page">
							<ul>
								{uploads.map((upload) => (
									<UploadRow key={upload.key} upload={upload} onRemove={() => remove(upload.key)} />
								))}
							</ul>
							<p className="muted small">
								They go on while you look at other views. If the page is closed, choose the same file again: the upload
								goes on where it stopped.
							</p>
						</Panel>
					)}
					<WishesForm wishes={wishes} onChange={setWishes} />
				</div>
			</Page>
		</>
	);
}
