import { Choice } from "../../components/choice.tsx";
import { Field } from "../../components/field.tsx";
import type { Wishes } from "../../uploads/uploads.ts";

/** Who may watch a video, the domain deciding first. */
export const visibilities = [
	{ value: "default", label: "As the domain's settings say" },
	{ value: "private", label: "Private: with a playback key" },
	{ value: "public", label: "Public: everyone who has the address" },
] as const;

/** What all chosen files are given, each left out unless it is filled. */
export function WishesForm({ wishes, onChange }: { wishes: Wishes; onChange: (wishes: Wishes) => void }) {
	const set = (name: keyof Wishes, value: string) => {
		const { [name]: _, ...others } = wishes;
		onChange(value === "" || value === "default" ? others : { ...others, [name]: value });
	};
	return (
		<div className="fields">
			<Field
				label={
					<>
						Uploader <code className="name">uploader_ref</code>
					</>
				}
				value={wishes.uploader_ref ?? ""}
				onChange={(value) => set("uploader_ref", value)}
				hint="Your name for the person whose upload it is. You may leave it out."
				autoComplete="off"
			/>
			<Choice
				label="Who may watch"
				value={wishes.visibility ?? "default"}
				onChange={(value) => set("visibility", value)}
				options={visibilities}
			/>
		</div>
	);
}
