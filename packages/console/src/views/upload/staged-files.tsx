import { useMutation } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { formatBytes } from "../../format/amounts.ts";
import { beginWork } from "../../unfinished/unfinished.ts";
import { useStaged } from "../../uploads/staged.ts";
import { useUploads } from "../../uploads/uploads.ts";
import styles from "./staged-files.module.css";
import { WishesForm } from "./wishes-form.tsx";

/** The chosen files, each with the name that its video gets, before they are sent. Nothing while none is chosen. */
export function StagedFiles() {
	const { staged, rename, unstage, wishes, wish } = useStaged();
	const { prepare } = useUploads();
	const send = useMutation({
		mutationFn: async (keys: readonly string[]) => {
			const add = await prepare();
			// Between the files' end here and the uploads' beginning, no reload may come.
			const end = beginWork();
			for (const { file, name } of unstage(keys))
				add(file, { ...wishes, ...(name.trim() === "" ? {} : { external_ref: name.trim() }) });
			end();
		},
	});
	if (staged.length === 0) return null;
	const what = staged.length === 1 ? "1 video" : `${staged.length} videos`;
	return (
		<Panel title="Ready to upload" isRaised>
			<form
				className="stack"
				onSubmit={(event) => {
					event.preventDefault();
					if (!send.isPending) send.mutate(staged.map(({ key }) => key));
				}}
			>
				<ul className={styles.files}>
					{staged.map(({ key, file, name }) => (
						<li key={key} className={styles.file}>
							<Field
								label={
									<>
										Name <code className="name">external_ref</code>
									</>
								}
								value={name}
								onChange={(next) => rename(key, next)}
								hint={`${file.name}, ${formatBytes(file.size)}`}
								autoComplete="off"
							/>
							<Button kind="quiet" square aria-label={`Remove ${file.name}`} onPress={() => unstage([key])}>
								<X size={16} aria-hidden />
							</Button>
						</li>
					))}
				</ul>
				<WishesForm wishes={wishes} onChange={wish} />
				<Problem
					error={send.error}
					advice="Your files are still here. Try again. If it stays, reload the page and choose them again."
				/>
				<div className="row">
					<Button kind="primary" type="submit" isPending={send.isPending}>
						Upload {what}
					</Button>
				</div>
			</form>
		</Panel>
	);
}
