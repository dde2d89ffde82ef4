def test_favicon_is_sent_to_strangers_and_kept_for_long(client):
    answer = client.get("/favicon.ico")

    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/x-icon"
    assert answer["Cache-Control"] == "public, max-age=604800"
    assert b"".join(answer.streaming_content).startswith(b"\x00\x00\x01\x00\x03\x00")  # an icon of three sizes


def test_every_page_names_its_icons_and_colours(client, db):
    page = client.get("/login/").content.decode()

    assert "favicon.svg" in page
    assert "apple-touch-icon.png" in page
    assert page.count('name="theme-color"') == 2
