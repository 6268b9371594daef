/** Each platform's connector and sign-in, made from the settings. */
import type { Platform } from "../../posts/shape.ts";
import type { Service } from "../../service/service.ts";
import { instagram } from "./instagram/connector.ts";
import { classifyInstagram } from "./instagram/errors.ts";
import { instagramHosts } from "./instagram/hosts.ts";
import { instagramSignIn } from "./instagram/signin.ts";
import { linkedIn } from "./linkedin/connector.ts";
import { classifyLinkedIn } from "./linkedin/errors.ts";
import { linkedInHosts } from "./linkedin/hosts.ts";
import { linkedInSignIn } from "./linkedin/signin.ts";
import type { App, Connector, SignIn } from "../contract/platform.ts";
import { Wire } from "../contract/wire.ts";
import { youTube } from "./youtube/connector.ts";
import { classifyYouTube } from "./youtube/errors.ts";
import { youTubeHosts } from "./youtube/hosts.ts";
import { youTubeSignIn } from "./youtube/signin.ts";

type Dependencies = Pick<Service, "settings" | "http" | "now" | "patience">;

export function connectorFor(
  { settings }: Pick<Service, "settings">,
  platform: Platform,
): Connector {
  switch (platform) {
    case "instagram":
      return instagram(instagramHosts(settings));
    case "linkedin":
      return linkedIn(linkedInHosts(settings), appOrEmpty(settings, platform));
    case "youtube":
      return youTube(youTubeHosts(settings), appOrEmpty(settings, platform));
  }
}

/** @param asMember LinkedIn: connects the person and not the person's organizations */
export function signInFor(service: Dependencies, platform: Platform, asMember: boolean): SignIn {
  const { settings, now } = service;
  const app = appOrEmpty(settings, platform);
  switch (platform) {
    case "instagram": {
      const wire = new Wire(platform, service, classifyInstagram);
      return instagramSignIn(instagramHosts(settings), app, wire, now);
    }
    case "linkedin": {
      const wire = new Wire(platform, service, classifyLinkedIn);
      const role = asMember ? "member" : "organization";
      return linkedInSignIn(linkedInHosts(settings), app, wire, now, role);
    }
    case "youtube": {
      const wire = new Wire(platform, service, classifyYouTube);
      return youTubeSignIn(youTubeHosts(settings), app, wire, now);
    }
  }
}

/** Marquee's application at the platform; null when the settings name none. The sandbox takes any. */
export function appOf(settings: Service["settings"], platform: Platform): App | null {
  const name = platform.toUpperCase() as Uppercase<Platform>;
  const clientId = settings[`${name}_CLIENT_ID`];
  const clientSecret = settings[`${name}_CLIENT_SECRET`];
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  return settings.SANDBOX ? { clientId: "marquee", clientSecret: "marquee-secret" } : null;
}

/** Empty credentials where the settings name no application: the platform then refuses the call. */
function appOrEmpty(settings: Service["settings"], platform: Platform): App {
  return appOf(settings, platform) ?? { clientId: "", clientSecret: "" };
}
