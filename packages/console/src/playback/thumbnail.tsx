import { Film } from "lucide-react";
import styles from "./thumbnail.module.css";
import { useDelivered, useObjectUrl } from "./use-delivered.ts";

/** A video's picture, as decoration: a shape stands for one that there is not, or not yet. */
export function Thumbnail({ url }: { url: string | null }) {
	const address = useObjectUrl(useDelivered(url).data);
	if (address === undefined)
		return (
			<span className={styles.thumbnail} aria-hidden>
				<Film size={14} />
			</span>
		);
	return <img className={styles.thumbnail} src={address} alt="" />;
}
