import { useState } from "react";
import { useAction, useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Loaded, useTogether } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { Panel } from "../../components/panel.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { InForce } from "./in-force.tsx";
import { Places } from "./places.tsx";
import { ProfileForm } from "./profile-form.tsx";

const changed = ["getStorage", "listStoragePlaces"] as const;

/** Where new videos are stored, where the others lie, and another place, proved step by step before it is saved. */
export function Storage() {
	const current = useCall("getStorage", {}, { every: 15_000 });
	const locations = useCall("listStorageLocations", {});
	const places = useCall("listStoragePlaces", {}, { every: 30_000 });
	const isHere = useTogether([current, locations, places]);
	const [isReverting, setIsReverting] = useState(false);
	const revert = useAction("deleteStorage", { changes: changed, onSuccess: () => setIsReverting(false) });
	return (
		<Page title="Storage">
			{isHere ? (
				<div className="parts">
					<Loaded query={current}>
						{(view) => (
							<div className="columns">
								<Panel
									title="New videos"
									actions={
										view.backend !== "local" && (
											<Button size="small" onPress={() => setIsReverting(true)}>
												Store on the local disk
											</Button>
										)
									}
								>
									<InForce view={view} />
								</Panel>
								<Places query={places} />
							</div>
						)}
					</Loaded>
					<Panel title="Store new videos elsewhere">
						<Loaded query={current}>
							{(view) => <ProfileForm current={view} locations={locations.data?.data ?? []} changes={changed} />}
						</Loaded>
					</Panel>
				</div>
			) : (
				<Skeleton />
			)}
			<Confirm
				title="Store new videos on the local disk?"
				verb="Store on the local disk"
				isOpen={isReverting}
				isPending={revert.isPending}
				error={revert.error}
				onConfirm={() => revert.mutate({})}
				onClose={() => {
					setIsReverting(false);
					revert.reset();
				}}
			>
				<p>
					Nothing is copied or deleted. Videos in the bucket stay there and are served from there, so keep its access
					key working.
				</p>
			</Confirm>
		</Page>
	);
}
