import type { Locale } from "../core/locale.ts";
import type { DoctorTexts } from "./doctor-texts/contract.ts";
import { DE } from "./doctor-texts/de.ts";
import { EN } from "./doctor-texts/en.ts";
import { PT } from "./doctor-texts/pt.ts";
import { ZH } from "./doctor-texts/zh.ts";

/** What `flower doctor` says, by locale. */
export const DOCTOR_TEXTS: Readonly<Record<Locale, DoctorTexts>> = { en: EN, zh: ZH, pt: PT, de: DE };
