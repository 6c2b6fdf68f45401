import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import styles from "./find-videos.module.css";
import type { VideoFilter } from "./video-filter.ts";

const route = getRouteApi("/d/$domain/videos");
const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Finds videos by the beginning of their title, their name, their uploader or their id, which takes 8 characters of it. A whole id leads straight to its video. */
export function FindVideos({ filter }: { filter: VideoFilter }) {
	const { domain } = route.useParams();
	const navigate = useNavigate();
	const exact = filter.external_ref ?? filter.uploader_ref ?? filter.metadata_value;
	const nameOfExact = filter.metadata_key ?? (filter.uploader_ref === undefined ? "Name" : "Uploader");
	const [text, setText] = useState(filter.search ?? "");
	const show = (search: string) =>
		void navigate({
			to: "/d/$domain/videos",
			params: { domain },
			search: { ...(filter.state && { state: filter.state }), ...(search !== "" && { search }) },
		});
	const find = (event: FormEvent) => {
		event.preventDefault();
		const id = text.trim().toLowerCase();
		if (isId(id)) void navigate({ to: "/d/$domain/videos/$id", params: { domain, id } });
		else show(text.trim());
	};
	return (
		<search>
			<form className={styles.form} onSubmit={find}>
				{exact !== undefined && (
					<span className={styles.exact}>
						<span className="muted">{nameOfExact}</span> <bdi>{exact}</bdi>
					</span>
				)}
				<div className={styles.text}>
					<Field
						label="Title, name, uploader or id"
						placeholder="Title, name, uploader or id (8 characters)"
						isLabelHidden
						type="search"
						value={text}
						onChange={setText}
						autoComplete="off"
					/>
				</div>
				<Button type="submit">Find</Button>
				{(exact ?? filter.search) !== undefined && (
					<Button kind="quiet" onPress={() => show("")}>
						Show all
					</Button>
				)}
			</form>
		</search>
	);
}
