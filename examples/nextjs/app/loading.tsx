export default function Loading() {
	return <p className="quiet">One moment …</p>;
}
