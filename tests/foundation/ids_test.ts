/** Ids and secrets: our own implementations of known formats match other ones. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { crc32 } from "../../domain/brands/keys.ts";
import { crc32 as zlibCrc32 } from "node:zlib";
import { idOf, idsFrom, instantOf, isId, newId } from "../../domain/foundation/ids.ts";

const instants = fc.integer({ min: 0, max: 2 ** 48 - 1 });

Deno.test("an id contains its instant as the ULID specification says, and returns it", () => {
  assertEquals(idsFrom("creation", 1469918176385), "cre_01ARYZ6S41");
  assertEquals(idsFrom("creation", 2 ** 48 - 1), "cre_7ZZZZZZZZZ");
  fc.assert(fc.property(instants, fc.uint8Array({ minLength: 16, maxLength: 16 }), (at, bytes) => {
    const id = idOf("slot", at, bytes);
    assert(isId("slot", id) && !isId("series", id));
    assert(id.startsWith(idsFrom("slot", at)));
    assertEquals(instantOf(id), at);
  }));
});

Deno.test("ids sort by their instants", () => {
  fc.assert(fc.property(instants, instants, (one, other) => {
    const [a, b] = [one, other].map((at) => idOf("post", at, new Uint8Array(16)));
    assertEquals(Math.sign(one - other), a! < b! ? -1 : a! > b! ? 1 : 0);
  }));
});

Deno.test("ids ascend even if the clock stands still or goes back", () => {
  const now = Date.now();
  const ids = Array.from({ length: 5_000 }, (_, at) => newId("job", now + [5, 5, 0][at % 3]!));
  assertEquals(ids, [...new Set(ids)].sort());
});

Deno.test("the checksum of a secret is CRC-32", () => {
  assertEquals(crc32("123456789"), 0xcbf43926);
  fc.assert(fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
    assertEquals(crc32(text), zlibCrc32(text));
  }));
});
