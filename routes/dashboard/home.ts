/** The dashboard's path, as the service receives it and as a browser sends it. */
import type { Service } from "../../domain/service/service.ts";
import { basePath } from "../base_path.ts";

export const HOME = "/dashboard";
export const homeOf = ({ settings }: Service): string => basePath(settings) + HOME;
