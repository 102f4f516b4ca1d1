export type Files = Readonly<Record<string, string>>;
