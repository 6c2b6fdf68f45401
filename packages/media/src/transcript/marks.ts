const sentenceEnd = /[.!?…。！？؟।]["'”’»)\]]{0,3}$/u;
const clauseEnd = /[,;:،。、，；：—–]["'”’»)\]]{0,3}$/u;
/** A full stop that ends no sentence: after an initial, a title, or a word that is often shortened. */
const shortened = /^["'“‘«([]{0,3}(?:\p{L}|\p{L}\.\p{L}|Mrs?|Ms|Dr|Prof|St|Mme|Mlle|Sra?|Hr|Fr|Nr|bzw|vs)\.$/u;

/** Says whether a word is the last one of a sentence. */
export const endsSentence = (word: string): boolean => sentenceEnd.test(word) && !shortened.test(word);

/** Says whether a word is the last one before a comma or a similar mark. */
export const endsClause = (word: string): boolean => clauseEnd.test(word);
