/** Tells which IP addresses belong to the public internet. */
import ipaddr from "ipaddr.js";

/** Public by its number, but on Azure a virtual machine's own host, which serves its secrets. */
const AZURE_HOST = "168.63.129.16";
/** The range of all addresses that are routed globally today (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parse("2000::");

/** False for loopback, private, link-local, metadata and all other special ranges, and for invalid text. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.parse(address);
  if (ip instanceof ipaddr.IPv4) return ip.range() === "unicast" && ip.toString() !== AZURE_HOST;
  // NAT64 (64:ff9b::/96, RFC 6052) is outside: which IPv4 network its gateway leads to is unknown.
  return ip.range() === "unicast" && ip.match(GLOBAL_UNICAST, 3);
}
