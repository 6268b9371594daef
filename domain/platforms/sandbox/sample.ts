/** A sample of real YouTube channels with their real readings. */
import { once } from "../../foundation/once.ts";

interface SampleVideo {
  videoId: string;
  title: string;
  publishedAt: string;
  durationSec: number;
  isLive: boolean;
  tags: string[];
  /** `[capturedAt, views, likes, comments]`, oldest first, cumulative. */
  readings: [string, number, number, number][];
}

interface SampleChannel {
  channelId: string;
  channel: string;
  /** Oldest first. */
  videos: SampleVideo[];
}

interface Sample {
  /** By handle, lower case. */
  channels: Map<string, SampleChannel>;
  /** Video id → its channel's handle in lower case, and its place among the channel's videos. */
  videos: Map<string, { handle: string; serial: number }>;
}

const sample = once(load);

export async function sampleChannel(handle: string): Promise<SampleChannel | null> {
  return (await sample()).channels.get(handle.toLowerCase()) ?? null;
}

export async function sampleVideo(
  videoId: string,
): Promise<{ handle: string; serial: number } | null> {
  return (await sample()).videos.get(videoId) ?? null;
}

async function load(): Promise<Sample> {
  const text = await Deno.readTextFile(new URL("./youtube_sample.jsonl", import.meta.url));
  const [, ...lines] = text.trimEnd().split("\n");
  const channels = lines.map((line) => JSON.parse(line) as SampleChannel);
  return {
    channels: new Map(channels.map((channel) => [channel.channel.toLowerCase(), channel])),
    videos: new Map(
      channels.flatMap(({ channel, videos }) =>
        videos.map(({ videoId }, serial) =>
          [videoId, { handle: channel.toLowerCase(), serial }] as const
        )
      ),
    ),
  };
}
