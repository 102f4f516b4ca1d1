/** An error of a JSON Schema evaluation, with the names that ajv uses in `ErrorObject`. */
export interface SchemaError {
  readonly keyword: string;
  /** JSON pointer to the invalid value. */
  readonly instancePath: string;
  /** JSON pointer to the violated keyword, such as `#/properties/url/maxLength`. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  /** Value of the violated keyword in the schema. */
  readonly schema?: unknown;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
}
