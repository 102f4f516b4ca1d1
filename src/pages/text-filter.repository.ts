import { Brackets, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import { ID_END, PART_OF_ID, wantedText } from './list-texts.js';

/**
 * Narrows a query to rows that match a search text, ignoring case. A row matches if one of the properties contains the
 * text, or if the id or the id's last eight characters begin with the text.
 * @param query its main alias has a column `id`
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

/** Escapes a string for a `LIKE` pattern whose escape character is `\`. */
export function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
