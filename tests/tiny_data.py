"""Two tiny texts, newswire as background and broadcast as domain, and their data sets."""

# Newswire: all five tags; "apple", "may", "bush" and "turkey" are not what they are below.
BACKGROUND = """
Shares of IBM rose in New York on Monday .
The company said profit fell to 3.2 million dollars .
Analysts at Merrill Lynch expect higher rates in May .
He said the U.S. economy would grow this year .
OPEC ministers meet in Vienna on Tuesday .
Oil prices fell after the OPEC meeting .
McDonald 's said sales rose 4 pct in March .
The Bank of England cut rates , traders said .
" We expect no change , " said John McCarthy .
Mr. Baker met officials of the IMF in Washington .
The apple crop in Turkey was poor , growers said .
Coffee exports from Brazil rose in June .
GM and Ford will close plants in Ohio .
The FED added reserves to the banking system .
Traders in Tokyo sold dollars for yen .
A spokesman for the EC declined to comment .
The British government sold its stake in BP .
President Reagan will address Congress on Friday .
Sugar futures closed lower in London .
The merger needs approval by the SEC .
DuPont raised its dividend to 85 cents .
Wheat shipments to China may resume , he said .
The dollar was firm against the mark .
Texaco filed for protection from creditors .
Pennzoil said it would wait .
Japan 's trade surplus narrowed in April .
The plan may not pass the Senate .
Mr. Bush visited the plant in Detroit .
A bush fire closed the road to the mine .
NATO forces held exercises in Norway .
Union leaders called a strike at the port .
The port of Antwerp was closed by ice .
Exports of copper from Chile fell again .
AT&T cut prices for business lines .
The Treasury will sell 10 billion dollars of notes .
Bond prices rose , with the yield at 8 pct .
" It is a fair price , " Mr. Icahn said .
MacMillan Bloedel sold a mill in Canada .
The mill makes paper for newspapers .
Shares in Paris closed higher .
The report by the USDA was as expected .
Soybean prices were steady in Chicago .
Gold closed at 406 dollars in Zurich .
Talks between Iran and Iraq failed .
The tanker left the Gulf on Sunday .
Israel and Egypt signed a trade pact .
The index rose 12 points to 2,300 .
ITT said it sold its unit for cash .
The unit makes parts for cars .
Volkswagen expects lower profit this year .
West Germany left its discount rate unchanged .
The Bundesbank declined to comment .
Insider trading charges were filed in New York .
A judge in Texas ruled for Pennzoil .
The ruling was called unfair .
Cocoa buyers met in Geneva .
UAL said its board will meet again .
O'Neill Corp. named a new chairman .
Cash dividends were higher in the quarter .
(  Story by Reuters  )
Rain
""".strip()

# Broadcast news with e-mail habits: new names, known words in another case, one-word sentences.
ADAPTATION = """
PrimeTime continues on ABC .
Diane Sawyer joins us from Los Angeles .
The iPhone is new from Apple .
Apple said the Mac sold well in May .
NASA will launch the shuttle on Friday .
CNN has the story from Turkey .
Now , from New York , Peter Jennings .
President Clinton spoke to NATO leaders .
The FBI arrested two men in Texas .
We may have rain on Sunday .
" Good evening , " said Ted Koppel .
Nightline is next on ABC .
eBay shares rose again .
The Bush family is in Maine .
Mr. McVeigh was in court in Denver .
YouTube and NBC made a deal .
The O.J. Simpson trial resumes on Monday .
Doctors at UCLA found a new gene .
The plant in Ohio may close .
A strike at GM is over .
More after this .
Hello
CBS
The NYSE closed higher , with IBM up .
Stay with us on World News Tonight .
And now , sports .
""".strip()

QUERY = {"background": "tiny-news", "domain": "tiny-broadcast"}


def write_data_sets(folder):
    """Write both; the background often enough for its cut-off of 5."""
    news, broadcast = BACKGROUND.split("\n"), ADAPTATION.split("\n")
    _write(folder / "tiny-news", train=news * 6)
    learnt = [f"{line} !" for line in broadcast[::2]]  # as no sentence of dev
    parts = {"train": learnt * 3, "dev": broadcast, "test": broadcast[1::2]}
    _write(folder / "tiny-broadcast", **parts)


def _write(folder, **parts):
    folder.mkdir()
    for part, sentences in parts.items():
        (folder / f"{part}.txt").write_text("\n".join(sentences) + "\n", "utf-8")
