import { type InputFault, ValidationError } from '../errors/index.js';
import { isAddressRange, MAX_ADDRESS_RANGES } from './ip-match.js';

/**
 * Returns a list of allowed IP addresses without duplicates. Returns null for a missing or empty list, which allows all
 * addresses.
 * @param path path of the list in the request body, for example `api_key_restrictions.allowed_ips`
 * @throws ValidationError if the list has more than 100 entries or an invalid entry
 */
export function checkedAddressList(
  wanted: readonly string[] | null | undefined,
  path: string,
): readonly string[] | null {
  if (wanted === undefined || wanted === null || wanted.length === 0) return null;
  if (wanted.length > MAX_ADDRESS_RANGES)
    throw ValidationError.of(path, 'array_max_size', `must not have more than ${MAX_ADDRESS_RANGES} entries`);
  const [first, ...others] = wanted.flatMap((text, index): readonly InputFault[] =>
    isAddressRange(text)
      ? []
      : [{ path: `${path}[${index}]`, code: 'is_address', message: 'must be an IP address or a CIDR range' }],
  );
  if (first !== undefined) throw new ValidationError([first, ...others]);
  return [...new Set(wanted)];
}
