/** Contents of new files, by path relative to their folder. */
export type Files = Readonly<Record<string, string>>;
