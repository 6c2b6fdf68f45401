import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Facts } from "../../components/facts.tsx";
import { Panel } from "../../components/panel.tsx";
import { useDomain } from "../../frame/domain-frame.tsx";
import { EditMetadata } from "./edit-metadata.tsx";

/** The video's title, and the tenant's own values of it: each leads to the videos that have it, too. */
export function Metadata({ id }: { id: string }) {
	const { slug } = useDomain();
	const { data: metadata } = useCall("getVideoMetadata", { params: { id } });
	const [isEdited, setIsEdited] = useState(false);
	if (metadata === undefined) return null;
	const { title, values } = metadata;
	return (
		<Panel title="Title and values" actions={<Button onPress={() => setIsEdited(true)}>Edit</Button>}>
			<Facts
				rows={[
					["Title", title],
					...Object.entries(values).map(([key, value]): [string, ReactNode] => [
						key,
						value && (
							<Link
								key={key}
								to="/d/$domain/videos"
								params={{ domain: slug }}
								search={{ metadata_key: key, metadata_value: value }}
							>
								{value}
							</Link>
						),
					]),
				]}
			/>
			{isEdited && <EditMetadata metadata={metadata} onClose={() => setIsEdited(false)} />}
		</Panel>
	);
}
