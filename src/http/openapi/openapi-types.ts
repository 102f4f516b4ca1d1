import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;
type Either<Member extends keyof Components> = NonNullable<Components[Member]>[string];

/** Parts of a document; the package exports only the whole type. */
export type ReferenceObject = Extract<Either<'schemas'>, { $ref: string }>;
export type SchemaObject = Exclude<Either<'schemas'>, ReferenceObject>;
export type ResponseObject = Exclude<Either<'responses'>, ReferenceObject>;
export type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type MediaTypeObject = NonNullable<ResponseObject['content']>[string];
