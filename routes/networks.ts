/** IP addresses: which of those that a proxy names is the client's, and which belong to one client. */
import ipaddr from "ipaddr.js";

/**
 * The client's address in X-Forwarded-For: the rightmost that is not a proxy's in a private network,
 * because clients can write the ones left of it. Null if there is none.
 */
export function forwardedAddress(header: string): string | null {
  const valid = header.split(",").map((entry) => entry.trim())
    .filter((entry) => ipaddr.isValid(entry));
  return valid.findLast((entry) => !isPrivate(entry)) ?? valid[0] ?? null;
}

/** The part of an address that one client has for itself: an IPv6 client has a whole /64. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  return ip instanceof ipaddr.IPv4 ? ip.toString() : `${ip.parts.slice(0, 4).join(":")}::/64`;
}

/**
 * The blocks of addresses that one owner may have as a whole, the smallest first: of IPv4 a /24, of IPv6
 * a /64 and the /48 around it.
 */
export function blocksOf(address: string): string[] {
  if (!ipaddr.isValid(address)) return [address];
  const ip = ipaddr.process(address);
  if (ip instanceof ipaddr.IPv4) return [`${ip.octets.slice(0, 3).join(".")}.0/24`];
  return [networkOf(address), `${ip.parts.slice(0, 3).join(":")}::/48`];
}

function isPrivate(address: string): boolean {
  return ["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]
    .includes(ipaddr.process(address).range());
}
