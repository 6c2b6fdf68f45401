import type { StorageLocation, StorageView } from "@reelmill/contracts";
import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { Field } from "../../components/field.tsx";
import { Problem } from "../../components/problem.tsx";
import { Unsaved } from "../../components/unsaved.tsx";
import { type Draft, faultsOf, hintOf, profileOf, texts } from "./fields.ts";
import { changed, followed, heldDraftOf, isChanged, saved } from "./held-draft.ts";
import { backendNames } from "./in-force.tsx";
import { RoundTrip } from "./round-trip.tsx";

type ProfileFormProps = {
	current: StorageView;
	locations: readonly StorageLocation[];
	changes: readonly ("getStorage" | "listStoragePlaces")[];
};

/** Another place for new videos. It is proved by a round trip, whose steps are shown, and saved if that passes. */
export function ProfileForm({ current, locations, changes }: ProfileFormProps) {
	const [before, setHeld] = useState(() => heldDraftOf(current));
	const held = followed(before, current);
	if (held !== before) setHeld(held);
	const { draft } = held;
	const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
	const [isSaving, setIsSaving] = useState(false);
	const save = useAction("putStorage", {
		changes,
		onSuccess: () => setHeld(saved),
	});
	const verify = useAction("verifyStorage", { changes: [] });
	const change = (part: Partial<Draft>) => {
		setHeld(changed(held, part));
		setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => !(name in part))));
		verify.reset();
		save.reset();
	};
	const prove = async (thenSave: boolean) => {
		const found = faultsOf(draft);
		setFaults(found);
		if (Object.keys(found).length > 0) return;
		setIsSaving(thenSave);
		save.reset();
		const verified = await verify.mutateAsync({ body: profileOf(draft) }).catch(() => null);
		if (thenSave && verified?.warnings.length === 0) save.mutate({ body: profileOf(draft) });
	};
	const isPending = verify.isPending || save.isPending;
	const backends = (["s3_tenant", ...(locations.length > 0 ? ["s3_platform"] : [])] as Draft["backend"][]).map(
		(value) => ({
			value,
			label: backendNames[value],
		}),
	);
	return (
		<form
			className="stack"
			// The contract's schema says what is wrong, not the browser.
			noValidate
			onSubmit={(event) => {
				event.preventDefault();
				void prove(true);
			}}
		>
			{backends.length > 1 && (
				<Choice label="Place" value={draft.backend} onChange={(backend) => change({ backend })} options={backends} />
			)}
			{draft.backend === "s3_platform" ? (
				<Choice
					label="Location"
					value={draft.location_id}
					onChange={(location_id) => change({ location_id })}
					options={[
						{ value: "", label: "Choose one" },
						...locations.map(({ id, name, region }) => ({ value: id, label: `${name} (${region})` })),
					]}
				/>
			) : (
				<div className="fields">
					{texts.map(({ name, label, placeholder }) => (
						<Field
							key={name}
							name={name}
							label={label}
							type={name === "secret_access_key" ? "password" : "text"}
							autoComplete="off"
							value={draft[name]}
							onChange={(value) => change({ [name]: value })}
							placeholder={placeholder}
							hint={hintOf(name)}
							error={faults[name]}
						/>
					))}
					<Choice
						label="Object addresses"
						value={draft.force_path_style}
						onChange={(force_path_style) => change({ force_path_style })}
						options={[
							{ value: "", label: "As the endpoint needs" },
							{ value: "path", label: "Bucket in the path" },
							{ value: "host", label: "Bucket in the host name" },
						]}
						hint="Most providers other than AWS need the bucket in the path (force_path_style)."
					/>
				</div>
			)}
			<div className="row">
				<Button kind="primary" type="submit" isPending={isPending}>
					Check and save
				</Button>
				<Button isPending={isPending} onPress={() => void prove(false)}>
					Check only
				</Button>
			</div>
			<RoundTrip verify={verify} onTryAgain={() => void prove(isSaving)} />
			{verify.data && verify.data.warnings.length > 0 && !save.isSuccess && (
				<div className="row">
					<Button isPending={isPending} onPress={() => save.mutate({ body: profileOf(draft) })}>
						Save anyway
					</Button>
				</div>
			)}
			<Unsaved isChanged={isChanged(held)} />
			<Problem error={save.error} />
			{save.isSuccess && <p role="status">Saved. New videos are stored there from now on.</p>}
		</form>
	);
}
