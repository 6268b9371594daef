/** What OAuth refuses: the codes of RFC 6749, 7009, 7591 and 8707 with words for people. */

export type RefusalCode =
  | "access_denied"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_target"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type";

/** A refusal that the app gets as `error` and `error_description`. */
export class AppRefusal extends Error {
  override readonly name = "AppRefusal";
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
