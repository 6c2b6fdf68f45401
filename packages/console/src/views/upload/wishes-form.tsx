import { Choice } from "../../components/choice.tsx";
import { Field } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import type { Wishes } from "../../uploads/uploads.ts";

const visibilities = [
	{ value: "default", label: "as the domain says" },
	{ value: "private", label: "private" },
	{ value: "public", label: "public" },
] as const;

/** What the next uploads are given, each field left out unless it is filled. */
export function WishesForm({ wishes, onChange }: { wishes: Wishes; onChange: (wishes: Wishes) => void }) {
	const set = (name: keyof Wishes, value: string) => {
		const { [name]: _, ...others } = wishes;
		onChange(value === "" || value === "default" ? others : { ...others, [name]: value });
	};
	return (
		<Panel title="For the next files">
			<div className="columns">
				<Field
					label="external_ref"
					value={wishes.external_ref ?? ""}
					onChange={(value) => set("external_ref", value)}
					hint="Your own name for the video, up to 255 characters. It can be found by it."
					autoComplete="off"
				/>
				<Field
					label="uploader_ref"
					value={wishes.uploader_ref ?? ""}
					onChange={(value) => set("uploader_ref", value)}
					hint="Whose upload it is. Limits on pending uploads count by it."
					autoComplete="off"
				/>
				<Choice
					label="Visibility"
					value={wishes.visibility ?? "default"}
					onChange={(value) => set("visibility", value)}
					options={visibilities}
					hint="A private video needs a playback key."
				/>
			</div>
		</Panel>
	);
}
