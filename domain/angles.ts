/** The angles from which the local writer and the local strategist look at a subject. */

export interface Angle {
  /** How a direction with this angle begins. */
  opening: string;
  /** First lines; `{subject}` is what the series is about. */
  hooks: readonly string[];
  /** What the post says; true of any picture the angle yields, so that nothing is made up. */
  bodies: readonly string[];
  hashtag: string;
}

export const ANGLES: readonly Angle[] = [
  {
    opening: "Behind the scenes",
    hooks: [
      "What you don't usually get to see: {subject}, from the inside.",
      "Ever wondered what goes on behind {subject}?",
      "A look behind {subject}, before everything is tidied up for the photo.",
    ],
    bodies: [
      "Most of the work happens long before anything is ready to be shown. The preparing, the testing, the second try: that is where it gets good.",
      "We stopped in the middle of the work to take this picture, because the middle is where the interesting decisions are made.",
      "It is never as neat as the finished result. That is exactly why we like to show it.",
    ],
    hashtag: "behindthescenes",
  },
  {
    opening: "How to",
    hooks: [
      "{Subject}: one thing that makes it easier.",
      "Where do you start with {subject}?",
      "New to {subject}? Start here.",
    ],
    bodies: [
      "Start small. Pick one thing, do it properly, and look at the result before you go on to the next. Three calm steps take you further than ten hasty ones.",
      "First, look at what you already have. Second, decide what would make the biggest difference. Third, do only that, and do it today.",
      "The trick is less about talent than about order: prepare first, take your time in the middle, and leave the finishing touches for the end.",
    ],
    hashtag: "howto",
  },
  {
    opening: "A closer look",
    hooks: [
      "Look closely: this is where {subject} is decided.",
      "One detail says more about {subject} than a long story.",
      "Do you notice the small things about {subject}?",
    ],
    bodies: [
      "The details are easy to miss, and they are what you remember afterwards. We chose this one because it shows the care behind the rest.",
      "Step closer and there is always more to see: the material, the light, the traces of someone's work.",
      "Anyone can get the big things right. It is the small ones that we keep coming back to.",
    ],
    hashtag: "details",
  },
  {
    opening: "Questions people ask",
    hooks: [
      "What would you like to know about {subject}?",
      "A question we love to hear about {subject}: where do I begin?",
      "Is there something about {subject} you never dared to ask?",
    ],
    bodies: [
      "There are no silly questions. The simple ones are usually the ones that many people have, so we are glad when somebody asks.",
      "We would rather answer ten small questions than leave one of them open. Ask away, and we will answer as plainly as we can.",
      "The short answer: begin with what you enjoy most. The longer answer is a conversation we would like to have with you.",
    ],
    hashtag: "askus",
  },
  {
    opening: "Before and after",
    hooks: [
      "Before, after, and everything in between: {subject}.",
      "What a difference it makes: {subject}.",
      "Can you still tell where {subject} began?",
    ],
    bodies: [
      "A result looks obvious once it is there. It helps to remember where it started, and how many small steps lie between the two.",
      "Progress is hard to see day by day. Put the first and the last picture side by side and it is plain.",
      "The change did not come at once. It came from doing the next sensible thing again and again.",
    ],
    hashtag: "beforeandafter",
  },
  {
    opening: "People and their stories",
    hooks: [
      "Behind {subject} there are people. This is for them.",
      "Who comes to your mind when you think of {subject}?",
      "{Subject} would be nothing without the people who care about it.",
    ],
    bodies: [
      "Everyone who takes part brings a story. Listening to them is the best part of what we do, and the reason why we go on.",
      "Some come out of curiosity, some for the company, some for a quiet hour. All of them leave something here.",
      "We could talk about what we do. We would rather show who it is for.",
    ],
    hashtag: "people",
  },
];

/** Any subject, where the direction follows none of the angles. */
export const PLAIN_ANGLE: Angle = {
  opening: "",
  hooks: [
    "Today it is all about {subject}.",
    "{Subject}: why it matters to us.",
    "What do you think of when you hear {subject}?",
    "A small reminder of why we love {subject}.",
  ],
  bodies: [
    "It is something we come back to again and again, because there is always a new side to it. This picture shows one of them.",
    "It takes time, care and a little patience. When it comes together, it looks like this.",
    "Sometimes a picture says it best. Take a moment, look around in it, and tell us what you see first.",
    "We keep it simple: do one thing well, show it as it is, and let it speak for itself.",
  ],
  hashtag: "",
};

/** The angle whose opening begins the direction. */
export function angleOf(direction: string): Angle {
  const folded = direction.toLowerCase();
  return ANGLES.find(({ opening }) => folded.startsWith(opening.toLowerCase())) ?? PLAIN_ANGLE;
}

export interface Call {
  /** Goals that ask for it. */
  goal: RegExp;
  lines: readonly string[];
}

/** What a caption asks its readers to do, by the goal's words; the first that matches. */
export const CALLS: readonly Call[] = [
  {
    goal: /\b(?:book|reserv|appointment|visit|class(?:es)?\b|course|workshop|event|ticket|attend)/i,
    lines: [
      "Would you like to come? Our profile shows you the way.",
      "Save your place: the link is in our profile.",
    ],
  },
  {
    goal: /\b(?:newsletter|subscri|sign.?up|waitlist|leads?\b|download|trial|demos?\b|apps?\b)/i,
    lines: [
      "If you would like more of this, the link is in our profile.",
      "Have a look for yourself: the link is in our profile.",
    ],
  },
  {
    goal: /\b(?:sell|sales?\b|buy|orders?\b|shop|revenue|customer|product)/i,
    lines: [
      "Which one would be yours? Tell us below, and find it through the link in our profile.",
      "Like what you see? The link is in our profile.",
    ],
  },
  {
    goal: /\b(?:hir(?:e|ing)|recruit|talent|career|applicant)/i,
    lines: [
      "Know someone who would fit in? Send them this post.",
      "Would you like to work with us? Our profile tells you how.",
    ],
  },
  {
    goal: /\b(?:donat|fundrais|volunteer|support)/i,
    lines: ["If you would like to help, our profile says how.", "Every hand counts: join us."],
  },
  {
    goal: /\b(?:learn|teach|educat|tips?\b|knowledge|expert|authority|trust)/i,
    lines: [
      "Save this for the day you need it.",
      "Send this to someone who is just getting started.",
    ],
  },
  {
    goal: /\b(?:comment|engag|communit|conversation|discuss|interact)/i,
    lines: [
      "How is it for you? Tell us in the comments.",
      "We read every comment: what is your view?",
    ],
  },
  {
    goal: /.*/s,
    lines: [
      "Follow along if you would like to see what comes next.",
      "What would you like to see next? Tell us in the comments.",
      "Know someone who would enjoy this? Send it to them.",
    ],
  },
];
