/** Which IP addresses belong to the public internet. */
import ipaddr from "ipaddr.js";

/** NAT64's well-known prefix (RFC 6052): an IPv4 address lies in the last four bytes. */
const NAT64 = ipaddr.IPv6.parse("64:ff9b::");
/** All that is routed globally today (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parse("2000::");

/** False for loopback, private, link-local, metadata and every other special range, and for junk. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.parse(address);
  if (ip instanceof ipaddr.IPv4) return ip.range() === "unicast";
  if (ip.match(NAT64, 96)) return isPublicAddress(ip.toByteArray().slice(12).join("."));
  return ip.range() === "unicast" && ip.match(GLOBAL_UNICAST, 3);
}
