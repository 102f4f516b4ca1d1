import { Brackets, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import { ID_END, PART_OF_ID, wantedText } from './list-texts.js';

/**
 * Restricts a query to rows that match a search text, ignoring case. A row matches if a property contains the text, or
 * the text is the start of the id or of its last eight characters.
 *
 * @param query a query whose main alias has a column `id`
 */
export function withText<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  text: string | undefined,
  properties: readonly string[],
): SelectQueryBuilder<Row> {
  const wanted = wantedText(text);
  if (wanted === '') return query;
  const { alias } = query;
  return query.andWhere(
    new Brackets((where) => {
      for (const property of properties)
        where.orWhere(`LOWER(CAST(${alias}.${property} AS text)) LIKE :containedText ESCAPE '\\'`);
      if (PART_OF_ID.test(wanted))
        where
          .orWhere(`CAST(${alias}.id AS varchar) LIKE :idBegin`)
          .orWhere(`SUBSTR(CAST(${alias}.id AS varchar), ${ID_END}) LIKE :idBegin`);
    }),
    { containedText: `%${likeText(wanted)}%`, idBegin: `${wanted}%` },
  );
}

/** Escapes a text for a `LIKE` pattern of SQL with the escape character `\`. */
export function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
