import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { Field } from "../../components/field.tsx";
import styles from "./find-videos.module.css";
import type { VideoFilter } from "./video-filter.ts";

const route = getRouteApi("/d/$domain/videos");
const ways = [
	{ value: "external_ref", label: "Name" },
	{ value: "uploader_ref", label: "Uploader" },
	{ value: "id", label: "Id" },
] as const;
type Way = (typeof ways)[number]["value"];
const asked = { external_ref: "Exactly this name", uploader_ref: "Exactly this uploader", id: "The video's whole id" };

/** An id has this form, whatever was chosen beside the field. */
const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Finds videos by a reference, exactly as it was given, or goes straight to the one of an id. */
export function FindVideos({ filter }: { filter: VideoFilter }) {
	const { domain } = route.useParams();
	const navigate = useNavigate();
	const [way, setWay] = useState<Way>(filter.uploader_ref === undefined ? "external_ref" : "uploader_ref");
	const [text, setText] = useState(filter.external_ref ?? filter.uploader_ref ?? "");
	const isFiltered = filter.external_ref !== undefined || filter.uploader_ref !== undefined;
	const id = text.trim().toLowerCase();
	const isUnknownId = way === "id" && text !== "" && !isId(id);
	const show = (references: Record<string, string>) =>
		navigate({
			to: "/d/$domain/videos",
			params: { domain },
			search: { ...(filter.state && { state: filter.state }), ...references },
		});
	const find = (event: FormEvent) => {
		event.preventDefault();
		if (isId(id)) return void navigate({ to: "/d/$domain/videos/$id", params: { domain, id } });
		if (way !== "id") void show(text === "" ? {} : { [way]: text });
	};
	return (
		<search>
			<form className={styles.form} onSubmit={find}>
				<Choice label="Find by" isLabelHidden value={way} onChange={setWay} options={ways} />
				<div className={styles.text}>
					<Field
						label={asked[way]}
						placeholder={asked[way]}
						isLabelHidden
						type="search"
						value={text}
						onChange={setText}
						autoComplete="off"
						error={isUnknownId ? "An id has 36 characters, such as 0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11." : undefined}
					/>
				</div>
				<Button type="submit">Find</Button>
				{isFiltered && (
					<Button kind="quiet" onPress={() => void show({})}>
						Show all
					</Button>
				)}
			</form>
		</search>
	);
}
