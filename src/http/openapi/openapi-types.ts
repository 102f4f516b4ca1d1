import type { OpenAPIObject } from '@nestjs/swagger';

type Components = NonNullable<OpenAPIObject['components']>;
type Either<Member extends keyof Components> = NonNullable<Components[Member]>[string];

/** Types of the parts of an OpenAPI document. @nestjs/swagger exports only the type of the whole document. */
export type ReferenceObject = Extract<Either<'schemas'>, { $ref: string }>;
export type SchemaObject = Exclude<Either<'schemas'>, ReferenceObject>;
export type ResponseObject = Exclude<Either<'responses'>, ReferenceObject>;
export type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type MediaTypeObject = NonNullable<ResponseObject['content']>[string];
