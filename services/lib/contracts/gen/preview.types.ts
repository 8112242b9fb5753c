// Generated from openapi/preview.yaml by `make generate`. Do not edit.

export interface paths {
    "/v1/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read a telemetry file */
        post: operations["createPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The reason why a lap is not complete (the first nine) or not clean (the others).
         * @enum {string}
         */
        LapReason: "NO_OPEN" | "NO_CLOSE" | "JUMP" | "NOT_SCORED" | "TIME_MISMATCH" | "OUT" | "IN" | "GAP" | "IMPLAUSIBLE" | "OFF_TRACK" | "INCIDENT" | "CAUTION" | "GRID" | "JOKER" | "UNVERIFIABLE";
        Lap: {
            /** @description The simulator's own lap number; a reset repeats it. */
            lap: number;
            is_completed: boolean;
            is_clean: boolean;
            reasons: components["schemas"]["LapReason"][];
            /** @description Seconds; official if the file has the simulator's score, else interpolated (D-6). */
            time_s: number | null;
            /** @description m:ss.mmm */
            time_fmt: string | null;
            /** @enum {string|null} */
            time_source: "official" | "interpolated" | null;
            row_start: number;
            /** @description Inclusive. */
            row_end: number;
            /** @description What happened in the lap, in driving order, with its rows; for display, since no verdict follows from it. A trip off the track and what follows it within a second are one incident. */
            incidents: components["schemas"]["LapIncident"][];
            session_num: number;
            /** @description Name of that session, such as `Practice` or `Heat 1`; null if the file does not name it. */
            session_name: string | null;
            figures?: components["schemas"]["LapFigures"];
        };
        /** @description Figures of the lap, for display. Null or empty if the file lacks the channel. */
        LapFigures: {
            /** @description Seconds of each sector; they add up to `time_s`. Empty for a lap that is not complete, or if the file does not state at least two sectors. */
            sectors_s: number[];
            /** @description m/s */
            top_speed_mps: number | null;
            /** @description Litres; null, too, if the tank was filled within the lap. */
            fuel_used_l: number | null;
            /** @description Mean °C at the middle of each tread: left front, right front, left rear, right rear. */
            tyre_temps_c: number[];
            /** @description Mean °C. */
            track_temp_c: number | null;
            /** @description The wettest that the track was: 1 dry, 2 mostly dry, to 7 extremely wet. Absent in the answer of an older service. */
            track_wetness?: number | null;
            /** @description By how much the driver's incident count rose. */
            incident_points: number | null;
        };
        LapIncident: {
            /**
             * @description `unknown` if only the incident count says that something happened.
             * @enum {string}
             */
            kind: "off_track" | "contact" | "loss_of_control" | "unknown";
            row_start: number;
            /** @description Inclusive. */
            row_end: number;
        };
        /** @description One value per row; null if the simulator wrote no finite number. */
        Samples: (number | null)[];
        Meta: {
            /** @constant */
            sim: "iracing";
            track_slug: string;
            /** @description Slug of the layout's name, or `default`. */
            layout: string;
            car_slug: string;
            track_label: string;
            car_label: string;
            track_length_m: number | null;
            red_line_rpm: number | null;
            /** @description Engine speed at which the shift light asks for the next gear. */
            shift_rpm: number | null;
            sample_rate_hz: number;
            /** @description Seconds since midnight in the simulation at the first sample; null if the file does not state it. */
            time_of_day_s: number | null;
            weather: {
                /** @description °C */
                AirTemp: number | null;
                /**
                 * @description 0 Clear, 1 Partly Cloudy, 2 Mostly Cloudy, 3 Overcast
                 * @enum {integer|null}
                 */
                Skies: 0 | 1 | 2 | 3 | null;
            };
        };
        Debug: {
            weekend: {
                TrackDisplayName: string | null;
                TrackName: string | null;
            };
            car: {
                CarScreenName: string | null;
                CarPath: string | null;
            };
            rows: number;
            /** @description The file ends inside a record or has another number of rows than its header says. */
            partial: boolean;
            missing: string[];
        };
        Preview: {
            lat: components["schemas"]["Samples"];
            lon: components["schemas"]["Samples"];
            lapDist: components["schemas"]["Samples"];
            lapDistPct: components["schemas"]["Samples"];
            alt: components["schemas"]["Samples"];
            throttle: components["schemas"]["Samples"];
            brake: components["schemas"]["Samples"];
            gear: components["schemas"]["Samples"];
            rpm: components["schemas"]["Samples"];
            steeringWheelAngle: components["schemas"]["Samples"];
            speed: components["schemas"]["Samples"];
            sessionTime: components["schemas"]["Samples"];
            laps: components["schemas"]["Lap"][];
            meta: components["schemas"]["Meta"];
            debug: components["schemas"]["Debug"];
        };
        /** @description Describes an error, for a program (`code`) and for the person (`detail`). */
        Problem: {
            /** @description Identifies the kind of problem; `about:blank` if the status is enough. */
            type: string;
            /** @description Short; the same for every occurrence of the code. */
            title: string;
            status: number;
            /** @description A sentence for the person. Never contains a stack trace, a query or a path. */
            detail: string;
            /** @description Stable; programs and tests rely on it. */
            code: string;
            /** @description The logs of every service that handled the request contain the same id. */
            request_id: string;
        };
    };
    responses: {
        /** @description The form is malformed, or contains no file or more than one. */
        BadForm: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The upload stalled or took too long; the server closes the connection. */
        UploadStalled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The file is larger than 104857600 bytes (D-17). */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The file's name does not end in `.ibt`, or the body is not a form. */
        WrongType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The file cannot be read as telemetry; `detail` says why. */
        Unreadable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description More than 20 files per minute from one address (D-17). */
        RateLimited: {
            headers: {
                /** @description Seconds to wait before the next try. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description An error inside the server. */
        Failed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server already reads as many files as it can. */
        Busy: {
            headers: {
                /** @description Seconds to wait before the next try. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description One `.ibt` file of at most 104857600 bytes (D-17); its name must end in `.ibt`.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The session, as JSON or, if the client prefers it, as packed columns. A file without a complete lap gets this answer too: the page decides what to do with it. */
            200: {
                headers: {
                    /** @description Strong tag of the answer's bytes; each representation has its own. */
                    ETag?: string;
                    /** @description `Accept, Accept-Encoding`: both select the representation. */
                    Vary?: string;
                    /** @description `gzip` if the client accepts it, else absent. */
                    "Content-Encoding"?: "gzip";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                    "application/x-protobuf": string;
                };
            };
            400: components["responses"]["BadForm"];
            408: components["responses"]["UploadStalled"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["WrongType"];
            422: components["responses"]["Unreadable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Failed"];
            503: components["responses"]["Busy"];
        };
    };
}
